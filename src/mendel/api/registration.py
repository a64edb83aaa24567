"""What the API has of a domain: whoever starts a server hands in what the registrations of its domains name."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar, runtime_checkable

import structlog
from pydantic import BaseModel

from mendel.api.domain_paths import Mount
from mendel.api.domain_services import ServiceMaker
from mendel.api.launch_schemas import FormExample, RunRequest
from mendel.api.panels import Panel
from mendel.api.schemas_candidates import SourceText
from mendel.contracts.errors import BrokenPlugin, PluginError
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scrub import Scrubber
from mendel.contracts.step_words import StepWords
from mendel.ports.task_fabric import TaskFabric

Opened = TypeVar("Opened")

TextOf = Callable[[Genome, Candidate | None], SourceText | None]
"""A domain's own way to make its material readable; None where it cannot."""


class OpenFabric(Protocol):
    """Opens a fabric whose workers look at originals; with ``commands`` programs there may run what is installed."""

    def __call__(self, *, commands: bool) -> AbstractAsyncContextManager[TaskFabric]:
        """The fabric, for as long as the block lasts."""


@dataclass(frozen=True)
class Workshop:
    """What a domain may use to prepare a run that somebody asks for."""

    scrubber: Scrubber
    fabric: OpenFabric
    commands_allowed: bool = False


@runtime_checkable
class Plan(Protocol):
    """A run that is asked for, as far as reading tells it. A class that derives from it has to say ``draft`` alone.

    The request's caps, problem, pace, selector and slots are laid over the draft by the launcher; the seed, the
    profile of models and what the inputs say are the planner's.
    """

    @property
    def commands(self) -> bool:
        """Whether its programs run what is installed here."""
        return False

    @property
    def asked_caps(self) -> frozenset[str]:
        """The caps that the inputs chose: refused above a ceiling. The others are defaults, and are lowered to it."""
        return frozenset()

    @abstractmethod
    def draft(self) -> RunConfig:
        """The run, before anything was run."""

    async def measured(self, fabric: TaskFabric) -> RunConfig:  # noqa: ARG002 - for those who override it
        """The run, after a look at what its planner measures: asked through steps that the fabric's workers perform."""
        return self.draft()


Planner = Callable[[RunRequest, int, Workshop], Plan]
"""From what is asked for, the run's seed and the server's workshop to a plan.

``request.inputs`` fit the form's ``inputs`` by then. Reads only; may take a while, so that it is called in a thread.
"""


@dataclass(frozen=True)
class LaunchForm:
    """What a client fills in to begin a run.

    ``inputs`` is the model of ``RunRequest.inputs``, by which these are checked before ``plan`` is called; ``examples``
    fit it. ``refusal`` says why no run can be begun on this server, or None.
    """

    inputs: type[BaseModel]
    plan: Planner
    examples: Sequence[FormExample] = ()
    refusal: Callable[[Workshop], str | None] = lambda _workshop: None


@dataclass(frozen=True)
class ServedDomain:
    """A domain as one server has it; what it names is loaded when it is first asked for.

    ``refusal`` says why it has no registration that can be used. ``open_form``, ``open_text`` and ``open_panels`` raise
    ``BrokenPlugin`` where what the registration names cannot be loaded; ``faults`` are routers and services that
    cannot, and ``idle`` the names of services that do not run for that.
    """

    name: str
    title: str
    summary: str
    refusal: str | None = None
    open_form: Callable[[], LaunchForm] | None = None
    open_text: Callable[[], TextOf] | None = None
    open_panels: Callable[[], tuple[Panel, ...]] | None = None
    mounts: tuple[Mount, ...] = ()
    services: tuple[ServiceMaker, ...] = ()
    faults: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    steps: tuple[StepWords, ...] = ()

    @cached_property
    def form(self) -> LaunchForm | None:
        """What somebody fills in to begin a run; without one its configuration is asked for.

        Raises:
            BrokenPlugin: the domain, or its form, cannot be loaded.
        """
        if self.refusal is not None:
            raise BrokenPlugin(self.refusal)
        return self.open_form() if self.open_form is not None else None

    @cached_property
    def text(self) -> TextOf | None:
        """How it makes a genome readable; None where it does not say, or cannot be asked."""
        return self._unless_broken(self.open_text)

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """What it adds to the page; nothing where that cannot be loaded."""
        return self._unless_broken(self.open_panels) or ()

    def _unless_broken(self, opened: Callable[[], Opened] | None) -> Opened | None:
        try:
            return opened() if opened is not None else None
        except PluginError as error:
            structlog.get_logger(__name__).warning("domain_broken", domain=self.name, error=str(error))
            return None
