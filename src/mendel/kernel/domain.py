"""The interface of a domain: it describes its material to the kernel, and contains no loops of its own.

A domain is a class without constructor arguments, named by a registration (:mod:`mendel.ports.registration`). Its
methods must be pure (results follow from the arguments alone), quick, and free of side effects. Anything that takes
time or has side effects is a *step*, performed by the handler with the step's name in ``mendel.task_handlers``.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, JsonValue

from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import canonical
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import MendelError
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Move
from mendel.selection.operators import Operator

DEFAULT_DEADLINE_MS = 60_000
_ASKED = ("tokens_in", "tokens_out", "cost_microusd")


@dataclass(frozen=True)
class Step:
    """A step's worst-case usage (``allowance``), its requirements, and the roles it calls, each as often as listed.

    ``requires`` are capabilities of the worker. ``ports`` are required by the handler, ``may_use`` are used if open; it
    receives no others. ``children`` are steps that the handler may request (``ports.children``); their usage counts
    towards this step's allowance. With ``hints`` its material contains the run's lenses and dial, which no other step
    sees. With ``cohort`` it receives the members of its subject's generation and of the one before. ``neighbours`` is
    the number of most similar candidates it receives; with ``earlier``, candidates of earlier runs in its niches too.
    """

    allowance: Usage = field(default_factory=Usage)
    deadline_ms: int = DEFAULT_DEADLINE_MS
    requires: tuple[str, ...] = ()
    asks: tuple[ModelRole, ...] = ()
    ports: tuple[str, ...] = ()
    may_use: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    hints: bool = False
    cohort: bool = False
    neighbours: int = 0
    earlier: bool = False

    def worst(self, models: ModelPlan | None) -> Usage:
        """Return the worst-case usage with a run's models, which adds one question to each role it asks."""
        asked = [models.worst(role) for role in self.asks] if models is not None else []
        sums = {name: getattr(self.allowance, name) + sum(getattr(each, name) for each in asked) for name in _ASKED}
        return self.allowance.model_copy(update=sums) if asked else self.allowance

    @property
    def named_ports(self) -> tuple[str, ...]:
        """Every port that its handler may receive."""
        return (*self.ports, *self.may_use, *(("children",) if self.children else ()))


@dataclass(frozen=True)
class Expression:
    """How a genome becomes candidates: immediately (``contents``), or by a step with a handler that returns them."""

    contents: tuple[DomainPayload, ...] = ()
    step: str | None = None
    inputs: DomainPayload | None = None


@dataclass(frozen=True)
class Refused:
    """The refusal of a proposal from outside, with its reason."""

    reason: str


class Domain(ABC):
    """One kind of material that can be bred.

    ``payloads`` are the models of its data by (kind, version), and ``config_kind`` is the one that configures a run.
    ``steps`` are all steps it may request, ``operators`` its ways of varying. ``most_candidates`` is the maximum that a
    genome may express; every birth keeps room for it. ``sandboxed``: its handlers run untrusted code, so a run does not
    start without a sandbox (rule 3). ``champion_is_founder``: an earlier run's champion of the niche becomes a founder;
    otherwise it is met at the gate only. ``offline_roles`` are played by the domain's own procedures (``NAME.ROLE`` in
    the group ``mendel.offline_roles``) in a run with the profile ``offline``, which calls no models. ``policy`` is the
    default for the weights of fitness components.
    """

    name: ClassVar[str]
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {}
    config_kind: ClassVar[tuple[str, int] | None] = None
    steps: ClassVar[Mapping[str, Step]] = {}
    operators: ClassVar[Sequence[Operator]] = ()
    most_candidates: ClassVar[int] = 1
    sandboxed: ClassVar[bool] = False
    champion_is_founder: ClassVar[bool] = True
    offline_roles: ClassVar[tuple[ModelRole, ...]] = ()
    policy: ClassVar[ScoringPolicy] = ScoringPolicy()

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:  # noqa: ARG002 - for overriding methods
        """Return those of its ``operators`` that a run uses, with their sites; the same in every call."""
        return self.operators

    def niches(self, config: RunConfig) -> Sequence[str]:
        """Return the niches of a run (function; spec; subtype and problem; world); the same in every call.

        Each has its own champion, k and error budget, which outlive runs (rule 10), and its share of the population.
        They are fixed before the run starts: a candidate cannot create a new one. The first is recorded as the run's
        ``config.first_niche``, all of them as ``config.all_niches``. So either return ``config.first_niche`` first, or
        use it in no name: otherwise a run that continues this one would get other names.
        """
        return (config.first_niche,)

    def niche(self, content: DomainPayload, config: RunConfig) -> str:  # noqa: ARG002 - for overriding methods
        """Return the niche in which an examined candidate competes; called only if the run has several.

        ``config.all_niches`` contains their names, in the order of :meth:`niches`.
        """
        return config.first_niche

    def challenges(self, config: RunConfig) -> bool:  # noqa: ARG002 - for overriding methods
        """Return whether the run may challenge champions; runs that never do claim no niche and may run in parallel."""
        return True

    def refusal(self, config: RunConfig) -> str | None:  # noqa: ARG002 - for overriding methods
        """Return why a run with this configuration would be in vain; such a run is refused before it is recorded.

        A step starts only if the caps cover its worst case, so a cap that is too low may even exclude the gate.
        """
        return None

    def survivors_enter(self, config: RunConfig) -> bool:  # noqa: ARG002 - for overriding methods
        """Return whether survivors enter each new generation, to be examined and scored again under its conditions.

        Only in a generational pace: steady generations overlap, so no survivor enters. ``route`` is called for each
        survivor in the phase ``scoring``, until it scores it or drops it from the generation.
        """
        return False

    @abstractmethod
    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """Return the traits of the first genomes; any above the cap on the population are ignored."""

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:  # noqa: ARG002 - as above
        """Return the traits of a genome proposed from outside, or a refusal."""
        return Refused(f"{self.name} takes no proposals")

    def admit_parameters(
        self,
        wanted: JsonObject,  # noqa: ARG002 - for overriding methods
        before: DomainPayload | None,  # noqa: ARG002 - as above
        config: RunConfig,  # noqa: ARG002 - as above
    ) -> DomainPayload | Refused:
        """Return the run's new parameters, or a refusal that keeps ``before``; people who operate a run set them."""
        return Refused(f"{self.name} takes no parameters")

    @abstractmethod
    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """Return how ``genome`` becomes candidates."""

    def fingerprint(self, content: DomainPayload) -> str | None:  # noqa: ARG002 - for overriding methods
        """Return a text that is equal for equivalent candidates; None if the candidate has no equivalent.

        The dossier of a candidate with an earlier ``twin`` names it, so ``route`` may drop it before it costs anything.
        """
        return None

    def conditions(
        self,
        generation: int,  # noqa: ARG002 - for overriding methods
        config: RunConfig,  # noqa: ARG002 - as above
        entropy: Entropy,  # noqa: ARG002 - as above
        before: Dossier | None,  # noqa: ARG002 - as above
    ) -> DomainPayload | None:
        """Return a generation's conditions (budgets, panel, requirements); they are recorded before it is bred.

        ``before`` is the dossier of the generation before; None for the first, and in a steady pace, where it goes on.
        """
        return None

    @abstractmethod
    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Return the next moves of one subject, all of which may be made concurrently.

        Called whenever the subject has nothing in flight. In the phases ``verifying`` and ``scoring`` at least one move
        is required; an empty result in ``contending`` or ``generation`` means that there is nothing more to do.
        """


def niche_about(config: RunConfig, subject: JsonValue) -> str:
    """Return the niche of all runs about the same ``subject``, such as a source and the rules that judge it.

    A subject that is judged by other rules is another question, with its own champion and error budget. A niche named
    in the configuration is returned unchanged.
    """
    if config.niche is not None:
        return config.niche
    # By domain and subject only: with a path or problem in the name, another spelling would get a fresh k (rule 10).
    # A run's niche is computed once and recorded in its first event, which replay, resume and `--from` use, so older
    # runs keep theirs (`DOMAIN:PROBLEM`, with or without a mark). Rejected: matching those too; they mix up questions.
    return f"{config.domain}@{hashlib.blake2b(canonical(subject), digest_size=16).hexdigest()}"


class AbsentDomain(Domain):
    """A substitute for a domain that cannot be loaded (``error``), used while only commands are answered."""

    name: ClassVar[str] = "absent"

    def __init__(self, error: MendelError) -> None:
        self.error = error

    def admit(self, proposal: JsonObject, config: RunConfig) -> Refused:  # noqa: ARG002 - it takes none
        """Refuse: only the domain itself could admit it."""
        return Refused(f"the domain {config.domain} cannot be loaded here: {self.error}")

    def admit_parameters(
        self,
        wanted: JsonObject,
        before: DomainPayload | None,  # noqa: ARG002 - as above
        config: RunConfig,
    ) -> Refused:
        """Refuse, as above."""
        return self.admit(wanted, config)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:  # noqa: ARG002 - it has none
        """Return no founders."""
        return ()

    def express(self, genome: Genome, config: RunConfig) -> Expression:  # noqa: ARG002 - it has none
        """Return an empty expression."""
        return Expression()

    def route(self, dossier: Dossier) -> Sequence[Move]:  # noqa: ARG002 - it has none
        """Return no moves."""
        return ()
