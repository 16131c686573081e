"""Pairing as many as possible: a largest matching in a graph (J. Edmonds: Paths, trees, and flowers. Canadian Journal
of Mathematics 17, 1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

__all__ = ["Matching"]


class Matching:
    """A matching of the vertices 0 ... n - 1 that is kept as large as it can be while vertices leave.

    Args:
        neighbors: of every vertex, those that it may be paired with; symmetric.
    """

    def __init__(self, neighbors: Sequence[Sequence[int]]) -> None:
        self._neighbors = neighbors
        self.partner: list[int | None] = [None] * len(neighbors)
        self._gone = [False] * len(neighbors)
        self.size = 0
        for vertex in range(len(neighbors)):
            self._augment(vertex)

    def without(self, *vertices: int) -> Matching:
        """A largest matching of the others; this one stays as it is."""
        rest = object.__new__(Matching)
        rest._neighbors = self._neighbors
        rest.partner, rest._gone, rest.size = list(self.partner), list(self._gone), self.size
        free = []
        for vertex in vertices:
            rest._gone[vertex] = True
            other = rest.partner[vertex]
            if other is not None:
                rest.partner[vertex] = rest.partner[other] = None
                rest.size -= 1
                free.append(other)
        for vertex in free:
            rest._augment(vertex)
        # Those that were free before may reach one another only over the vertices that are free now.
        if rest.size < self.size:
            for vertex in range(len(rest.partner)):
                rest._augment(vertex)
        return rest

    def _augment(self, root: int) -> None:
        """Makes the matching larger by one, if a path from the free vertex ``root`` does so."""
        if self.partner[root] is not None or self._gone[root]:
            return
        end, parent = _Search(self._neighbors, self.partner, self._gone).path(root)
        if end is None:
            return
        vertex: int | None = end
        while vertex is not None:
            before = parent[vertex]
            assert before is not None
            following = self.partner[before]
            self.partner[vertex], self.partner[before] = before, vertex
            vertex = following
        self.size += 1


class _Search:
    """Breadth-first search for an augmenting path; odd cycles (blossoms) are shrunk to their base."""

    def __init__(self, neighbors: Sequence[Sequence[int]], partner: list[int | None], gone: list[bool]) -> None:
        n = len(neighbors)
        self.neighbors, self.partner, self.gone = neighbors, partner, gone
        self.base = list(range(n))
        self.parent: list[int | None] = [None] * n
        self.outer = [False] * n
        self.queue: deque[int] = deque()

    def path(self, root: int) -> tuple[int | None, list[int | None]]:
        """The free vertex at the end of the path, and the vertex before each inner one."""
        self.outer[root] = True
        self.queue.append(root)
        while self.queue:
            vertex = self.queue.popleft()
            for other in self.neighbors[vertex]:
                if self.gone[other] or self.base[vertex] == self.base[other] or self.partner[vertex] == other:
                    continue
                matched = self.partner[other]
                if other == root or (matched is not None and self.parent[matched] is not None):
                    self._shrink(root, vertex, other)
                elif self.parent[other] is None:
                    self.parent[other] = vertex
                    if matched is None:
                        return other, self.parent
                    self.outer[matched] = True
                    self.queue.append(matched)
        return None, self.parent

    def _shrink(self, root: int, vertex: int, other: int) -> None:
        base = self._common_base(root, vertex, other)
        inside: set[int] = set()
        self._mark(vertex, base, other, inside)
        self._mark(other, base, vertex, inside)
        for i in range(len(self.base)):
            if self.base[i] in inside:
                self.base[i] = base
                if not self.outer[i]:
                    self.outer[i] = True
                    self.queue.append(i)

    def _common_base(self, root: int, vertex: int, other: int) -> int:
        seen: set[int] = set()
        at = self.base[vertex]
        while True:
            seen.add(at)
            if at == root or self.base[root] == at:
                break
            at = self._up(at)
        at = self.base[other]
        while at not in seen:
            at = self._up(at)
        return at

    def _up(self, outer: int) -> int:
        """The base of the outer vertex before an outer one in the tree."""
        matched = self.partner[outer]
        assert matched is not None
        before = self.parent[matched]
        assert before is not None
        return self.base[before]

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        while self.base[vertex] != base:
            matched = self.partner[vertex]
            assert matched is not None
            inside |= {self.base[vertex], self.base[matched]}
            self.parent[vertex] = child
            child = matched
            before = self.parent[matched]
            assert before is not None
            vertex = before
