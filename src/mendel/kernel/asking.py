"""Asking a domain: whatever it does wrong becomes one error that says which method of whom did it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, get_args

from mendel.contracts.base import JsonObject
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.kernel.domain import Domain, Expression, Refused
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Move

T = TypeVar("T")
MAX_MOVES = 64


class Asked:
    """A domain whose answers have the right type, or are a ``DomainFailed``."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def founders(self, config: RunConfig, entropy: Entropy) -> tuple[DomainPayload, ...]:
        """The traits of the first genomes; at least one."""
        answer = self._call("founders", self.domain.founders, config, entropy)
        founders = self._sequence("founders", answer, (DomainPayload,))
        if not founders:
            raise self._wrong("founders", "no founder at all")
        return founders

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """The traits of a proposed genome, or why not."""
        answer = self._call("admit", self.domain.admit, proposal, config)
        return self._one("admit", answer, (DomainPayload, Refused))

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """How ``genome`` becomes candidates."""
        answer = self._one("express", self._call("express", self.domain.express, genome, config), (Expression,))
        if (answer.step is None) == (not answer.contents):
            raise self._wrong("express", "either contents or a step, not both and not neither")
        self._sequence("express", answer.contents, (DomainPayload,))
        return answer

    def conditions(
        self, generation: int, config: RunConfig, entropy: Entropy, before: Dossier | None
    ) -> DomainPayload | None:
        """The conditions of a generation."""
        answer = self._call("conditions", self.domain.conditions, generation, config, entropy, before)
        return self._one("conditions", answer, (DomainPayload, type(None)))

    def route(self, dossier: Dossier) -> tuple[Move, ...]:
        """The next moves of a subject."""
        moves = self._sequence("route", self._call("route", self.domain.route, dossier), get_args(Move))
        if len(moves) > MAX_MOVES:
            raise self._wrong("route", f"{len(moves)} moves at once; {MAX_MOVES} is the most")
        return moves

    def _call(self, method: str, function: Callable[..., T], *arguments: object) -> T:
        try:
            return function(*arguments)
        # Broad on purpose: a plug-in is a process boundary; what it raises is its own failure, and no other run's.
        except Exception as error:
            raise DomainFailed(
                f"domain {self.domain.name}: {method} raised {type(error).__name__}: {str(error)[:500]}"
            ) from error

    def _one(self, method: str, answer: T, kinds: tuple[type, ...]) -> T:
        if not isinstance(answer, kinds):
            raise self._wrong(method, f"a {type(answer).__name__}; expected {_names(kinds)}")
        return answer

    def _sequence(self, method: str, answer: Sequence[T], kinds: tuple[type, ...]) -> tuple[T, ...]:
        if not isinstance(answer, list | tuple):
            raise self._wrong(method, f"a {type(answer).__name__}; expected a list or tuple of {_names(kinds)}")
        for item in answer:
            if not isinstance(item, kinds):
                raise self._wrong(method, f"a sequence with a {type(item).__name__}; expected {_names(kinds)}")
        return tuple(answer)

    def _wrong(self, method: str, what: str) -> DomainFailed:
        return DomainFailed(f"domain {self.domain.name}: {method} answered with {what}")


def _names(kinds: tuple[type, ...]) -> str:
    return " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
