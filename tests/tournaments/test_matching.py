"""Largest matchings, against trying out every one."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st

from ludometer.tournaments.matching import Matching

graphs = st.integers(0, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([*combinations(range(max(n, 2)), 2)])))
)


def largest(vertices: frozenset[int], edges: frozenset[tuple[int, int]]) -> int:
    @cache
    def size(left: frozenset[int]) -> int:
        if not left:
            return 0
        one = min(left)
        rest = left - {one}
        with_one = [1 + size(rest - {b if a == one else a}) for a, b in edges if one in (a, b) and {a, b} <= left]
        return max([size(rest), *with_one])

    return size(vertices)


def neighbors(n: int, edges: set[tuple[int, int]]) -> list[list[int]]:
    return [[b if a == v else a for a, b in sorted(edges) if v in (a, b)] for v in range(n)]


@given(graphs, st.lists(st.integers(0, 8), max_size=5, unique=True))
@example((6, {(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)}), [])  # two triangles with a bridge: blossoms
@example((9, {(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (4, 5), (5, 6), (6, 7), (7, 8), (4, 8)}), [0])
def test_it_is_as_large_as_can_be_and_stays_so_when_vertices_leave(
    graph: tuple[int, set[tuple[int, int]]], leaving: list[int]
) -> None:
    n, edges = graph
    edges = {edge for edge in edges if max(edge) < n}
    matching = Matching(neighbors(n, edges))
    left = frozenset(range(n))
    assert matching.size == largest(left, frozenset(edges))
    for vertex in (vertex for vertex in leaving if vertex < n):
        before = list(matching.partner)
        rest = matching.without(vertex)
        assert matching.partner == before, "the larger one stays as it is"
        matching, left = rest, left - {vertex}
        assert matching.size == largest(left, frozenset(edges))
        paired = [(v, other) for v, other in enumerate(matching.partner) if other is not None]
        assert len(paired) == 2 * matching.size
        for v, other in paired:
            assert matching.partner[other] == v and (min(v, other), max(v, other)) in edges and {v, other} <= left


def test_two_at_once_may_open_a_new_way() -> None:
    path = neighbors(4, {(0, 1), (1, 2), (2, 3)})
    assert Matching(path).size == 2
    assert Matching(path).without(0, 3).size == 1
    assert Matching(path).without(0).size == 1
