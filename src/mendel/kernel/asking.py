"""Calling a domain: everything it does wrong becomes one error that names the domain and its method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TypeVar, get_args

from pydantic import ValidationError

from mendel.contracts.base import JsonObject
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ContractError, DomainFailed
from mendel.contracts.failures import raised_at
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import PAYLOADS, DomainPayload, explain
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import LONGEST_NICHE
from mendel.kernel.domain import Domain, Expression, Refused
from mendel.kernel.domain_thread import Abandoned
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Move
from mendel.selection.operators import Operator

T = TypeVar("T")
MAX_MOVES = 64
MAX_NICHES = 64
_LONGEST_REASON = 1_000


class Asked:
    """A domain with checked results: each call returns the right type or raises ``DomainFailed``."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.doing: str | None = None
        self._config: tuple[RunConfig, RunConfig] | None = None

    def operators_for(self, config: RunConfig) -> tuple[Operator, ...]:
        """Return the operators of a run, a subset of those that the domain declared."""
        answer = self._call("operators_for", self.domain.operators_for, self._own(config))
        ways = self._sequence("operators_for", answer, (Operator,))
        declared = {(each.name, each.step, each.parents, each.mode) for each in self.domain.operators}
        if any((each.name, each.step, each.parents, each.mode) not in declared for each in ways):
            raise self._wrong("operators_for", "an operator that the domain did not declare")
        return ways

    def founders(self, config: RunConfig, entropy: Entropy) -> tuple[DomainPayload, ...]:
        """Return the traits of the first genomes; at least one."""
        answer = self._call("founders", self.domain.founders, self._own(config), entropy)
        founders = self._sequence("founders", answer, (DomainPayload,))
        if not founders:
            raise self._wrong("founders", "no founder at all")
        return founders

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """Return the traits of a proposed genome, or a refusal."""
        answer = self._call("admit", self.domain.admit, deepcopy(proposal), self._own(config))
        admitted = self._one("admit", answer, (DomainPayload, Refused))
        return Refused(_readable(admitted.reason)) if isinstance(admitted, Refused) else admitted

    def admit_parameters(
        self, wanted: JsonObject, before: DomainPayload | None, config: RunConfig
    ) -> DomainPayload | Refused:
        """Return the new parameters or a refusal; a payload that fits no model of the domain is an error."""
        own = copied(before) if before is not None else None
        answer = self._call("admit_parameters", self.domain.admit_parameters, deepcopy(wanted), own, self._own(config))
        admitted = self._one("admit_parameters", answer, (DomainPayload, Refused))
        if isinstance(admitted, Refused):
            return Refused(_readable(admitted.reason))
        try:
            PAYLOADS.check(admitted)
        except ContractError as error:
            raise self._wrong("admit_parameters", f"parameters that cannot be stored: {error!s:.500}") from error
        return admitted

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """Return how ``genome`` becomes candidates."""
        own = genome.model_copy(update={"traits": copied(genome.traits)})
        called = self._call("express", self.domain.express, own, self._own(config))
        answer = self._one("express", called, (Expression,))
        if (answer.step is None) == (not answer.contents):
            raise self._wrong("express", "either contents or a step, not both and not neither")
        self._sequence("express", answer.contents, (DomainPayload,))
        return answer

    def niches(self, config: RunConfig) -> tuple[str, ...]:
        """Return the names of a run's niches; at least one."""
        answer = self._call("niches", self.domain.niches, self._own(config))
        names = self._sequence("niches", answer, (str,))
        if not 0 < len(names) <= MAX_NICHES or len(set(names)) < len(names):
            raise self._wrong("niches", f"{len(names)} names; expected 1 to {MAX_NICHES} different ones")
        if any(not 0 < len(name) <= LONGEST_NICHE for name in names):
            raise self._wrong("niches", f"a name that is empty or longer than {LONGEST_NICHE} characters")
        return names

    def niche(self, content: DomainPayload, config: RunConfig) -> str:
        """Return the niche of the run in which a candidate competes."""
        name = self._one("niche", self._call("niche", self.domain.niche, copied(content), self._own(config)), (str,))
        if name not in config.all_niches:
            raise self._wrong("niche", f"{name!r:.300}, which is none of {', '.join(config.all_niches)}"[:2_000])
        return name

    def challenges(self, config: RunConfig) -> bool:
        """Return whether a run may challenge champions at all."""
        return self._one("challenges", self._call("challenges", self.domain.challenges, self._own(config)), (bool,))

    def refusal(self, config: RunConfig) -> str | None:
        """Return why a run with this configuration is refused; None if it is not."""
        return self._one("refusal", self._call("refusal", self.domain.refusal, self._own(config)), (str, type(None)))

    def survivors_enter(self, config: RunConfig) -> bool:
        """Return whether survivors are scored again in each generation."""
        answer = self._call("survivors_enter", self.domain.survivors_enter, self._own(config))
        return self._one("survivors_enter", answer, (bool,))

    def fingerprint(self, content: DomainPayload) -> str | None:
        """Return the text that is equal for twins; None if the candidate can have none."""
        answer = self._call("fingerprint", self.domain.fingerprint, copied(content))
        return self._one("fingerprint", answer, (str, type(None)))

    def conditions(
        self, generation: int, config: RunConfig, entropy: Entropy, before: Dossier | None
    ) -> DomainPayload | None:
        """Return the conditions of a generation."""
        answer = self._call("conditions", self.domain.conditions, generation, self._own(config), entropy, before)
        return self._one("conditions", answer, (DomainPayload, type(None)))

    def route(self, dossier: Dossier) -> tuple[Move, ...]:
        """Return the next moves of a subject."""
        moves = self._sequence("route", self._call("route", self.domain.route, dossier), get_args(Move))
        if len(moves) > MAX_MOVES:
            raise self._wrong("route", f"{len(moves)} moves at once; {MAX_MOVES} is the most")
        return tuple(map(self._valid, moves))

    def _valid(self, move: Move) -> Move:
        """Return the move, validated again: a domain may have built it without its model's checks."""
        try:
            return type(move).model_validate(dict(move.__dict__))
        except ValidationError as error:
            raise self._wrong("route", f"an invalid {type(move).__name__}: {explain(error)}") from None

    def _own(self, config: RunConfig) -> RunConfig:
        """Return a copy of the configuration for the domain: writing into it has no effect on the run (rule 1)."""
        if self._config is None or self._config[0] is not config:
            self._config = config, config.model_copy(deep=True)  # one deep copy per configuration, not per call
        return self._config[1]

    def _call(self, method: str, function: Callable[..., T], *arguments: object) -> T:
        self.doing = method
        try:
            answer = function(*arguments)
        except Abandoned:  # the thread that runs this must end, see domain_thread
            raise
        # Broad on purpose: a plug-in may raise anything, SystemExit included; only its own run must fail.
        except BaseException as error:
            place = raised_at(error)
            raise DomainFailed(
                f"domain {self.domain.name}: {method} raised {type(error).__name__}: {_told(error)}"
                + (f" ({place})" if place else "")
            ) from error
        self.doing = None
        return answer

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
        return DomainFailed(f"domain {self.domain.name}: {method} returned {what}")


def _told(error: BaseException) -> str:
    return explain(error) if isinstance(error, ValidationError) else str(error)[:500]


def copied(payload: DomainPayload) -> DomainPayload:
    """Return a copy of a payload for a domain: writing into it must not change recorded data."""
    return payload.model_copy(update={"data": deepcopy(payload.data)})


def _readable(reason: object) -> str:
    """Return a refusal's reason in a form that the log can store: printable, valid UTF-8 and not too long."""
    text = reason if isinstance(reason, str) else repr(reason)
    clean = "".join(c for c in text[:_LONGEST_REASON] if c.isprintable() or c == "\n").encode(errors="replace").decode()
    return clean or "no reason was given"


def _names(kinds: tuple[type, ...]) -> str:
    return " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
