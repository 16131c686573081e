"""Covariances of fitted parameters.

Laplace: the inverse of the information (with the prior), right where the model is.

Clustered: the sandwich  H^-1 B H^-1  with  B = C / (C - 1) * sum over clusters of s_c s_c',  s_c being the sum of the
scores in cluster c (Liang & Zeger, Biometrika 73, 1986). It stays right where games of one cluster share their luck,
and where the model is only an approximation; it needs enough games with varied results.

From few clusters a sandwich comes out too small, and its own scatter is not small against it. A parameter that K
clusters inform is therefore given the standard deviation of Student's t with K - 1 degrees of freedom, times the
K / (K - 1) of a sample variance: its standard error is sqrt(K / (K - 3)) as large. For 95% intervals and K of five or
more that is within 2% of the quantiles of t. K is the effective number of clusters, (sum of a_c)^2 / (sum of a_c^2),
where a_c is the information in cluster c (Kish, Survey Sampling, 1965; for cluster-robust errors Carter, Schnepel &
Steigerwald, Rev. Econ. Stat. 99, 2017).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy import sparse

from ludometer.ratings.connections import membership
from ludometer.ratings.games import FloatArray, IntArray

__all__ = [
    "cluster_cells",
    "cluster_count",
    "contrast",
    "effective_clusters",
    "laplace",
    "sandwich",
    "scatter",
    "small_sample",
]

_FEWEST: Final = 4.0
"""Clusters from which the standard deviation of t is finite here; fewer are taken for so many."""

_DENSE_SUMS: Final = 20_000_000
"""Numbers in the table of cluster sums up to which a dense table is held (160 MB); it is three times as fast."""


def laplace(information: FloatArray, component: IntArray) -> FloatArray:
    """Shape (k, k): the inverse information.

    The level of a component is fixed by convention, so without a prior the information says nothing about it. A
    constant is added in exactly these directions; :func:`contrast` removes them again.
    """
    n = len(component)
    members = np.zeros((len(information), component.max() + 1))
    members[:n] = membership(component)
    return np.linalg.inv(information + members @ members.T)


def cluster_cells(cluster: IntArray, of_row: IntArray, weight: FloatArray, cells: int) -> sparse.csr_array:
    """Shape (clusters, cells): how many games of each kind a cluster holds. Cluster numbers need not be dense."""
    low = int(cluster.min())
    if int(cluster.max()) - low > 4 * len(cluster):
        cluster = np.unique(cluster, return_inverse=True)[1]
        low = 0
    # 32-bit indices halve the memory traffic, which is what building a matrix of a million games costs.
    rows, columns = (cluster - low).astype(np.int32), of_row.astype(np.int32)
    shape = (int(rows.max()) + 1, cells)
    return sparse.coo_array((weight, (rows, columns)), shape=shape).tocsr()


def cluster_count(counts: sparse.csr_array) -> int:
    """Clusters that hold at least one game."""
    return int(np.count_nonzero(np.diff(counts.indptr)))


def scatter(scores: sparse.csr_array, weight: FloatArray, counts: sparse.csr_array | None) -> tuple[FloatArray, float]:
    """The middle of the sandwich, B, and the number of clusters.

    Args:
        scores: shape (c, k), the score of one game of each cell.
        weight: shape (c,), games per cell.
        counts: shape (clusters, c); None where each game is a cluster.

    Returns:
        Shape (k, k), and C.
    """
    if counts is None:
        clusters = float(weight.sum())
        middle = (scores.T @ sparse.diags_array(weight) @ scores).toarray()
    else:
        clusters = cluster_count(counts)
        middle = _outer(counts, scores)
    return middle * (clusters / (clusters - 1.0) if clusters > 1 else 1.0), clusters


def effective_clusters(learned: sparse.csr_array, weight: FloatArray, counts: sparse.csr_array | None) -> FloatArray:
    """How many clusters of equal information inform each parameter about as well.

    Args:
        learned: shape (c, k), the information of one game of each cell about each parameter by itself.
        weight, counts: as for :func:`scatter`.

    Returns:
        Shape (k,); 0 for a parameter that nothing informs.
    """
    if counts is None:
        total, squares = weight @ learned, weight @ learned.power(2)
    elif counts.shape[0] * learned.shape[1] > _DENSE_SUMS:
        sums = counts @ learned
        total, squares = sums.sum(axis=0), sums.power(2).sum(axis=0)
    else:
        dense = counts @ learned.toarray()
        total, squares = dense.sum(axis=0), np.square(dense).sum(axis=0)
    found: FloatArray = np.divide(np.square(total), squares, out=np.zeros(learned.shape[1]), where=squares > 0)
    return found


def small_sample(clusters: FloatArray) -> FloatArray:
    """What standard errors are to be multiplied with for so many effective clusters, of the same shape."""
    enough = np.maximum(clusters, _FEWEST)
    return np.asarray(np.sqrt(enough / (enough - 3.0)), np.float64)


def _outer(counts: sparse.csr_array, scores: sparse.csr_array) -> FloatArray:
    """Sum over clusters of s_c s_c'."""
    if counts.shape[0] * scores.shape[1] > _DENSE_SUMS:
        sums = counts @ scores
        return np.asarray((sums.T @ sums).toarray(), np.float64)
    dense = counts @ scores.toarray()
    return np.asarray(dense.T @ dense, np.float64)


def sandwich(inverse: FloatArray, middle: FloatArray) -> FloatArray:
    """Shape (k, k): the clustered covariance from the inverse information and the scatter of the scores."""
    return inverse @ middle @ inverse


def contrast(size: int, component: IntArray, anchor: int | None) -> FloatArray:
    """Shape (k, k): the map from raw parameters to ratings relative to the mean of their component.

    With an anchor, the anchor's component is taken relative to the anchor. Other parameters stay as they are.
    """
    n = len(component)
    members = membership(component)
    matrix = np.eye(size)
    matrix[:n, :n] -= members / members.sum(axis=0) @ members.T
    if anchor is not None:
        inside = np.flatnonzero(component == component[anchor])
        matrix[inside, :n] = 0.0
        matrix[inside, inside] = 1.0
        matrix[inside, anchor] -= 1.0
    return matrix
