"""A graph as adjacency lists, checked: symmetric, connected, without loops."""

from collections.abc import Iterable, Sequence

from unirank import arguments
from unirank.errors import ArgumentError

Graph = tuple[tuple[int, ...], ...]


def checked_graph(neighbours: object) -> Graph:
    """Neighbours of each arm, ascending; an error names the pair of arms that breaks a rule."""
    if not isinstance(neighbours, Sequence) or isinstance(neighbours, str) or not neighbours:
        raise ArgumentError(f"neighbours must be a list of neighbours per arm, got {neighbours!r}")
    last = len(neighbours) - 1
    graph: list[tuple[int, ...]] = []
    for arm, listed in enumerate(neighbours):
        if not isinstance(listed, Iterable) or isinstance(listed, str):
            raise ArgumentError(f"neighbours[{arm}] must be a list of arms, got {listed!r}")
        name = f"neighbours[{arm}]"
        near = sorted(arguments.integer(name, one, 0, last, "n_arms-1=") for one in listed)
        if arm in near:
            raise ArgumentError(f"{name} must not hold the arm itself, got {near}")
        if len(set(near)) < len(near):
            raise ArgumentError(f"{name} must not repeat an arm, got {near}")
        graph.append(tuple(near))
    for arm, listed in enumerate(graph):
        for other in listed:
            if arm not in graph[other]:
                raise ArgumentError(
                    f"neighbours must be symmetric, got {other} next to {arm} "
                    f"but not {arm} next to {other}"
                )
    unreached = set(range(len(graph))) - reached(graph)
    if unreached:
        raise ArgumentError(
            f"neighbours must be connected, got no path from arm 0 to arm {min(unreached)}"
        )
    return tuple(graph)


def reached(graph: Sequence[tuple[int, ...]]) -> set[int]:
    """Arms that a path joins to arm 0."""
    found, waiting = {0}, [0]
    while waiting:
        for other in graph[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def graph_of_edges(n_arms: int, edges: Iterable[tuple[int, int]]) -> Graph:
    """The graph on arms 0 .. n_arms - 1 that these pairs of neighbours make."""
    near: list[set[int]] = [set() for _ in range(n_arms)]
    for edge in edges:
        pair = [arguments.integer("edges", arm, 0, n_arms - 1, "n_arms-1=") for arm in edge]
        if len(pair) != 2:
            raise ArgumentError(f"edges must be pairs of arms, got {edge!r}")
        near[pair[0]].add(pair[1])
        near[pair[1]].add(pair[0])
    return checked_graph([sorted(one) for one in near])


def line_graph(n_arms: int) -> Graph:
    """Arms in a row, each next to the one before and the one after."""
    return graph_of_edges(n_arms, [(arm, arm + 1) for arm in range(n_arms - 1)])
