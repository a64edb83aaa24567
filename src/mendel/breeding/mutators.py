"""Mutators: other sources of variation than the operators here, found by entry point in ``mendel.mutators``.

A mutator is a coroutine function of a :class:`MutationRequest` that answers with the new text of one file. It sees the
parents' sources and nothing of the inputs, the oracle or the gate (rule 6). What it answers is data until it was
examined, as whatever an operator makes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, cast

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registry import resolve

GROUP: Final = "mendel.mutators"
OFFLINE: Final = "offline"


@dataclass(frozen=True)
class MutationRequest:
    """One file to be varied: the parents' texts, the first being the one to change, and what may change in it."""

    path: str
    parents: tuple[str, ...]
    roots: tuple[str, ...]
    function: str
    entropy: Entropy


@dataclass(frozen=True)
class Mutation:
    """The file after it, and what was done, for a person to read."""

    text: str
    note: str


Mutator = Callable[[MutationRequest], Awaitable[Mutation]]


def offline(request: MutationRequest) -> Awaitable[Mutation]:
    """Stands in the list of mutators for the operators of this package, which need more than a text."""
    raise BrokenPlugin(f"{OFFLINE} is not asked for a text of {request.path}; the operators are applied directly")


def find_mutator(name: str) -> Mutator:
    """The mutator of that name.

    Raises:
        UnknownPlugin: nobody has it; the message lists those that are known.
        BrokenPlugin: it cannot be loaded, or is not callable.
    """
    found = resolve(GROUP, name)
    if not callable(found):
        raise BrokenPlugin(f'{GROUP} "{name}" is {type(found).__name__}, not a function')
    return cast("Mutator", found)
