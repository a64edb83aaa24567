"""Mutators: plugins that vary a file, apart from the built-in operators; entry point group ``mendel.mutators``.

A mutator is a coroutine function that takes a :class:`MutationRequest` and returns the new text of one file. It sees
the parents' sources, but not the inputs, the oracle or the gate (rule 6). Its result is untrusted data until it has
been examined, like the result of any operator.
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
    """A file to vary: the parents' texts (the first one is to change), and the functions that may change in it."""

    path: str
    parents: tuple[str, ...]
    roots: tuple[str, ...]
    function: str
    entropy: Entropy


@dataclass(frozen=True)
class Mutation:
    """The changed file, and a description of the change for people."""

    text: str
    note: str


Mutator = Callable[[MutationRequest], Awaitable[Mutation]]


def offline(request: MutationRequest) -> Awaitable[Mutation]:
    """Represent this package's operators in the list of mutators; calling it fails, since they need more than a text.

    Raises:
        BrokenPlugin: always.
    """
    raise BrokenPlugin(f"{OFFLINE} cannot be called as a mutator of {request.path}: its operators are applied directly")


def find_mutator(name: str) -> Mutator:
    """Return the mutator with that name.

    Raises:
        UnknownPlugin: there is none; the message lists the known names.
        BrokenPlugin: it cannot be loaded, or is not callable.
    """
    found = resolve(GROUP, name)
    if not callable(found):
        raise BrokenPlugin(f'{GROUP} "{name}" is {type(found).__name__}, not a function')
    return cast("Mutator", found)
