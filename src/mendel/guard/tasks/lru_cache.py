"""``solve(capacity, operations)``: the results of operations on a cache that evicts the least recently used key.

``("put", key, value)`` stores a value and returns the evicted key or None; ``("get", key)`` returns the value or None;
``("size",)`` returns the number of keys. A ``put`` and a successful ``get`` count as use of the key.
"""

from __future__ import annotations

from typing import Any, Final

from mendel.guard.generators import Generator, arguments, constant, integers, lists, one_of, sampled, tuples
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec

_MOST_OPERATIONS: Final = 300
_LARGEST: Final = 60
_LENGTHS: Final = {"put": 3, "get": 2, "size": 1}  # items of an operation's tuple

Operations = list[tuple[Any, ...]]
Answers = list[Any]


@task("lru_cache")
def lru_cache() -> TaskSpec:
    """Build the task, which tests a stateful class through a function: each call makes an object and operates on it."""
    return TaskSpec(
        name="lru_cache",
        gen_inputs=arguments(one_of(integers(1, 4), integers(1, _LARGEST)), lists(_operations(), _MOST_OPERATIONS)),
        properties=(
            Property(_one_each, "one answer for each operation"),
            Property(_sizes_fit, "the size is never above the capacity"),
            Property(_finds_what_was_put, "a get finds the last value put under its key, or nothing"),
            Property(_evicts_what_was_put, "what goes was put before, and is another key"),
        ),
        relations=(
            MetamorphicRelation("keys renamed", _renamed, _answers_renamed, category="renaming"),
            MetamorphicRelation("asked for the size at the end", _asked_size, _one_answer_more, category="extension"),
            MetamorphicRelation("more room", _more_room, "properties_hold", category="capacity"),
            MetamorphicRelation("looked for what is not there", _missed, _begins_alike, category="noise"),
        ),
        metrics=(Metric("found", _found, kind="mean"),),
        fmt_in=_shown_input,
        valid=_valid,
    )


def _operations() -> Generator[tuple[Any, ...]]:
    """Generate operations, with keys from pools of several sizes, so that keys repeat."""
    keys = one_of(sampled("abcdefgh"), integers(0, 2 * _LARGEST).map("k{}".format))
    put, get = tuples(constant("put"), keys, integers(-5, 5)), tuples(constant("get"), keys)
    return one_of(put, put, get, get, get, constant(("size",)))


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    if len(args) != 2 or type(args[0]) is not int or args[0] < 1 or not isinstance(args[1], list):
        return False
    return all(_valid_operation(operation) for operation in args[1])


def _valid_operation(operation: object) -> bool:
    if not isinstance(operation, tuple) or not operation or not isinstance(operation[0], str):
        return False
    if len(operation) != _LENGTHS.get(operation[0]):
        return False
    return all(isinstance(key, str) for key in operation[1:2]) and all(type(value) is int for value in operation[2:])


def _one_each(output: object, _capacity: int, operations: Operations) -> bool:
    return isinstance(output, list) and len(output) == len(operations)


def _sizes_fit(output: Answers, capacity: int, operations: Operations) -> bool:
    told = (answer for operation, answer in zip(operations, output, strict=False) if operation[0] == "size")
    return all(type(size) is int and 0 <= size <= capacity for size in told)


def _finds_what_was_put(output: Answers, _capacity: int, operations: Operations) -> bool:
    last: dict[str, int] = {}
    for operation, answer in zip(operations, output, strict=False):
        if operation[0] == "put":
            last[operation[1]] = operation[2]
        elif operation[0] == "get" and answer is not None and answer != last.get(operation[1]):
            return False
    return True


def _evicts_what_was_put(output: Answers, _capacity: int, operations: Operations) -> bool:
    seen: set[str] = set()
    for operation, answer in zip(operations, output, strict=False):
        if operation[0] == "put":
            if answer is not None and (answer == operation[1] or answer not in seen):
                return False
            seen.add(operation[1])
    return True


def _renamed(capacity: int, operations: Operations) -> Args:
    return capacity, [(kind, *(f"{key}'" for key in rest[:1]), *rest[1:]) for kind, *rest in operations]


def _answers_renamed(before: Answers, after: Answers) -> bool:
    return after == [f"{answer}'" if isinstance(answer, str) else answer for answer in before]


def _asked_size(capacity: int, operations: Operations) -> Args:
    return capacity, [*operations, ("size",)]


def _one_answer_more(before: Answers, after: Answers, args: Args, _transformed: Args) -> bool:
    keys = {operation[1] for operation in args[1] if operation[0] == "put"}
    return after == [*before, min(args[0], len(keys))]


def _more_room(capacity: int, operations: Operations) -> Args:
    return capacity + 1, list(operations)


def _missed(capacity: int, operations: Operations) -> Args:
    """Begin with a ``get`` of a key that was never put, which must not change any later result."""
    return capacity, [("get", "nobody put this"), *operations]


def _begins_alike(before: Answers, after: Answers) -> bool:
    return after == [None, *before]


def _found(output: Answers, args: Args) -> float:
    gets = [answer for operation, answer in zip(args[1], output, strict=False) if operation[0] == "get"]
    return sum(answer is not None for answer in gets) / len(gets) if gets else 0.0


def _shown_input(args: Args) -> str:
    capacity, operations = args
    return f"capacity {capacity}: " + " ".join(f"{kind}({', '.join(map(str, rest))})" for kind, *rest in operations)
