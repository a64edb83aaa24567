"""``solve(n, edges)``: the connected components of a graph over the nodes 0 … n-1, each a sorted tuple of its nodes.

The components may be in any order. An edge may occur twice, in either direction, or connect a node with itself.
"""

from __future__ import annotations

import random
from typing import Any, Final

from mendel.guard.equivalence import multiset_equal
from mendel.guard.generators import Generator, graphs, integers, lists, one_of, tuples
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec

_MOST_NODES: Final = 250
_SHOWN: Final = 40

Edges = list[tuple[int, int]]
Parts = list[Any]


@task("components")
def components() -> TaskSpec:
    """Build the task; its properties miss components that are wrongly merged, which only the baseline shows."""
    return TaskSpec(
        name="components",
        gen_inputs=one_of(graphs(_MOST_NODES, edge_list=True), _messy_graphs()),
        properties=(
            Property(_partition, "every node is in exactly one part"),
            Property(_keeps_edges, "both ends of an edge are in the same part"),
            Property(_in_order, "the nodes of a part are in order"),
            Property(_parts_in_order, "the parts are in the order of their first nodes", mode="soft"),
        ),
        relations=(
            MetamorphicRelation("edges shuffled and turned", _shuffled, accepts_rng=True, category="permutation"),
            MetamorphicRelation("nodes renamed", _renamed, _same_sizes, accepts_rng=True, category="renaming"),
            MetamorphicRelation("one node more", _one_more, _one_part_more, category="extension"),
            MetamorphicRelation("without the first edge", _one_edge_less, "properties_hold", category="removal"),
        ),
        equivalence=multiset_equal,
        metrics=(Metric("parts", _count),),
        fmt_in=_shown_input,
        valid=_valid,
    )


def _messy_graphs() -> Generator[tuple[int, Edges]]:
    """Generate graphs with loops and repeated edges."""
    pair = tuples(integers(0, _MOST_NODES - 1), integers(0, _MOST_NODES - 1))
    return tuples(integers(1, _MOST_NODES), lists(pair, 2 * _MOST_NODES)).map(_folded)


def _folded(drawn: tuple[Any, ...]) -> tuple[int, Edges]:
    n, pairs = drawn
    return n, [(left % n, right % n) for left, right in pairs]


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    if len(args) != 2 or type(args[0]) is not int or args[0] < 0 or not isinstance(args[1], list):
        return False
    n, edges = args
    return all(isinstance(edge, tuple) and len(edge) == 2 and all(_is_node(end, n) for end in edge) for edge in edges)


def _is_node(end: object, n: int) -> bool:
    return type(end) is int and 0 <= end < n


def _partition(output: Parts, n: int, _edges: Edges) -> bool:
    return sorted(node for part in output for node in part) == list(range(n)) and all(output)


def _keeps_edges(output: Parts, _n: int, edges: Edges) -> bool:
    part_of = {node: number for number, part in enumerate(output) for node in part}
    return all(part_of[left] == part_of[right] for left, right in edges)


def _in_order(output: Parts, _n: int, _edges: Edges) -> bool:
    return all(isinstance(part, tuple) and list(part) == sorted(part) for part in output)


def _parts_in_order(output: Parts, _n: int, _edges: Edges) -> bool:
    return output == sorted(output)


def _shuffled(n: int, edges: Edges, *, rng: random.Random) -> Args:
    turned = [edge if rng.random() < 0.5 else edge[::-1] for edge in edges]
    rng.shuffle(turned)
    return n, turned


def _renamed(n: int, edges: Edges, *, rng: random.Random) -> Args:
    names = rng.sample(range(n), n)
    return n, [(names[left], names[right]) for left, right in edges]


def _same_sizes(before: Parts, after: Parts) -> bool:
    return sorted(map(len, before)) == sorted(map(len, after))


def _one_more(n: int, edges: Edges) -> Args:
    return n + 1, list(edges)


def _one_part_more(before: Parts, after: Parts, args: Args, _transformed: Args) -> bool:
    return multiset_equal([*before, (args[0],)], after)


def _one_edge_less(n: int, edges: Edges) -> Args:
    return n, edges[1:]


def _count(output: Parts, _args: Args) -> float:
    return float(len(output))


def _shown_input(args: Args) -> str:
    n, edges = args
    return f"{n} nodes, {len(edges)} edges {edges[:_SHOWN]}{' …' if edges[_SHOWN:] else ''}"
