"""What a domain tells the kernel: what its material is, and nothing about loops.

A domain is a class that is called without arguments, named by a registration (:mod:`mendel.ports.registration`). Its
methods are pure (what they answer follows from what they are given), quick, and touch nothing; whatever takes time or
touches the world is a *step*, performed by a handler of the group ``mendel.task_handlers`` under the step's name.
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
    """What a step may use at worst, what a worker needs to perform it, and which roles it asks, as often as named.

    ``ports`` are those that its handler cannot do without, ``may_use`` those that it uses where they are open; it is
    given no other. ``children`` are the steps that its handler may ask for (``ports.children``); what they use comes
    out of this one's allowance. With ``hints`` its material has the run's lenses and dial, which no other step sees.
    With a ``cohort`` it is given the members of its subject's generation and of the one before, and of its subject's
    ``neighbours`` nearest candidates; with ``earlier`` those of earlier runs of its niches are among them.
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
        """What it may use with the models of a run: a question to each role that it asks comes on top."""
        asked = [models.worst(role) for role in self.asks] if models is not None else []
        sums = {name: getattr(self.allowance, name) + sum(getattr(each, name) for each in asked) for name in _ASKED}
        return self.allowance.model_copy(update=sums) if asked else self.allowance

    @property
    def named_ports(self) -> tuple[str, ...]:
        """Every port that its handler may be given."""
        return (*self.ports, *self.may_use, *(("children",) if self.children else ()))


@dataclass(frozen=True)
class Expression:
    """How a genome becomes candidates: at once (``contents``), or by a step whose handler answers with them."""

    contents: tuple[DomainPayload, ...] = ()
    step: str | None = None
    inputs: DomainPayload | None = None


@dataclass(frozen=True)
class Refused:
    """A proposal from outside that is not admitted, and why."""

    reason: str


class Domain(ABC):
    """One kind of thing that can be bred.

    ``payloads`` are the models of its data by (kind, version), ``config_kind`` the one that configures a run; ``steps``
    every step it may ask for; ``operators`` its ways of varying; ``most_candidates`` what a genome may express at most,
    for which every birth keeps room. ``sandboxed`` says that its handlers run untrusted code: without a sandbox
    such a run does not begin (rule 3). ``champion_is_founder`` says that the champion that an earlier run left in a
    niche is bred from; otherwise it is met before the gate only. ``offline_roles`` are those that procedures of its own
    (``NAME.ROLE`` of the group ``mendel.offline_roles``) play in a run of the profile ``offline``, which asks no model
    else. ``policy`` weighs the components of a fitness where a run does not say how.
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

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:  # noqa: ARG002 - for those who override it
        """Those of its ``operators`` that a run has, with their sites; the same whenever it is asked."""
        return self.operators

    def niches(self, config: RunConfig) -> Sequence[str]:
        """The niches of a run (function; spec; subtype and problem; world), the same whenever it is asked.

        Each has its champion, its k and its error budget, which outlive runs (rule 10), and its share of the
        population. They are fixed before the run begins: no candidate makes itself a new one. The first that is
        answered is recorded as the run's ``config.first_niche``, and all of them as ``config.all_niches``. So either
        ``config.first_niche`` is the first, or no name contains it; it would be another one in a run that goes on.
        """
        return (config.first_niche,)

    def niche(self, content: DomainPayload, config: RunConfig) -> str:  # noqa: ARG002 - for those who override it
        """Which of its run's niches a candidate competes in; asked where there are several, once it is examined.

        ``config.all_niches`` has their names, in the order in which :meth:`niches` answered.
        """
        return config.first_niche

    def challenges(self, config: RunConfig) -> bool:  # noqa: ARG002 - for those who override it
        """Whether the run may challenge champions; one that never does claims no niche, so several may go at once."""
        return True

    def refusal(self, config: RunConfig) -> str | None:  # noqa: ARG002 - for those who override it
        """Why a run with this configuration can come to nothing; such a one is refused before it is recorded.

        A step is started only while its worst case fits into the caps, so too low a cap may shut out the gate itself.
        """
        return None

    def survivors_enter(self, config: RunConfig) -> bool:  # noqa: ARG002 - for those who override it
        """Whether survivors enter each new generation, to be examined and scored anew under its conditions.

        Only in a generational pace: steady generations overlap, and no survivor enters. ``route`` is asked about each
        in the phase ``scoring``, until it scores it or drops it out of the generation.
        """
        return False

    @abstractmethod
    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """The traits of the first genomes; more than the population's cap are cut off."""

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:  # noqa: ARG002 - for others
        """The traits of a genome proposed from outside, or why it is not admitted."""
        return Refused(f"{self.name} takes no proposals")

    def admit_parameters(
        self,
        wanted: JsonObject,  # noqa: ARG002 - for those who override it
        before: DomainPayload | None,  # noqa: ARG002 - as above
        config: RunConfig,  # noqa: ARG002 - as above
    ) -> DomainPayload | Refused:
        """The run's parameters as they are from now on, or why they stay as ``before``; operators set them."""
        return Refused(f"{self.name} takes no parameters")

    @abstractmethod
    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """How ``genome`` becomes candidates."""

    def fingerprint(self, content: DomainPayload) -> str | None:  # noqa: ARG002 - for those who override it
        """What two candidates have in common that are as good as the same; None where no two are.

        A candidate that has an earlier ``twin`` is shown so to ``route``, which may drop it before it costs anything.
        """
        return None

    def conditions(
        self,
        generation: int,  # noqa: ARG002 - for those who override it
        config: RunConfig,  # noqa: ARG002 - as above
        entropy: Entropy,  # noqa: ARG002 - as above
        before: Dossier | None,  # noqa: ARG002 - as above
    ) -> DomainPayload | None:
        """Under which conditions a generation lives (budgets, panel, what is asked of it); recorded before it is bred.

        ``before`` is the generation before it, in a generational pace; in a steady one that has not ended yet.
        """
        return None

    @abstractmethod
    def route(self, dossier: Dossier) -> Sequence[Move]:
        """The next steps of one subject, all of which may go at once.

        Asked whenever nothing of the subject is in flight. A candidate in the phases ``verifying`` and ``scoring``
        needs an answer; an empty one in ``contending`` or ``generation`` means that there is nothing more to do.
        """


def niche_about(config: RunConfig, subject: JsonValue) -> str:
    """The niche of the runs that are about the same ``subject``, such as the source and the rules that judge it.

    What is judged otherwise is another question, with a champion and an error budget of its own. A niche that the
    configuration names stays what it is.
    """
    if config.niche is not None:
        return config.niche
    # By domain and subject alone: a path or problem in it would give a fresh k for another spelling (rule 10). A run's
    # niche is asked for once and stands in its first event, which replay, resume and `--from` go by, so that older runs
    # keep theirs (`DOMAIN:PROBLEM`, with or without a mark); rejected: to look for those too, as they mix up questions.
    return f"{config.domain}@{hashlib.blake2b(canonical(subject), digest_size=16).hexdigest()}"


class AbsentDomain(Domain):
    """Stands in for a domain that does not load, where only commands are answered; ``error`` says why not."""

    name: ClassVar[str] = "absent"

    def __init__(self, error: MendelError) -> None:
        self.error = error

    def admit(self, proposal: JsonObject, config: RunConfig) -> Refused:  # noqa: ARG002 - it takes none
        """Refused: only the domain itself could take it."""
        return Refused(f"the domain {config.domain} cannot be loaded here: {self.error}")

    def admit_parameters(
        self,
        wanted: JsonObject,
        before: DomainPayload | None,  # noqa: ARG002 - as above
        config: RunConfig,
    ) -> Refused:
        """Refused: as above."""
        return self.admit(wanted, config)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:  # noqa: ARG002 - it has none
        """None."""
        return ()

    def express(self, genome: Genome, config: RunConfig) -> Expression:  # noqa: ARG002 - it has none
        """Nothing."""
        return Expression()

    def route(self, dossier: Dossier) -> Sequence[Move]:  # noqa: ARG002 - it has none
        """Nowhere."""
        return ()
