"""The API's view of domains: the server passes in the parts that their registrations name."""

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
"""A domain's function that renders material as text; None if it cannot."""


class OpenFabric(Protocol):
    """Opens a task fabric for measuring originals; with ``commands``, its programs may run installed commands."""

    def __call__(self, *, commands: bool) -> AbstractAsyncContextManager[TaskFabric]:
        """Open the fabric for the duration of a block."""


@dataclass(frozen=True)
class Workshop:
    """The tools that a domain may use to prepare a requested run."""

    scrubber: Scrubber
    fabric: OpenFabric
    commands_allowed: bool = False


@runtime_checkable
class Plan(Protocol):
    """A requested run, as far as it is known without running anything. Subclasses must implement only ``draft``.

    The launcher applies the request's caps, problem, pace, selector and slots to the draft; the planner is responsible
    for the seed, the model profile and the inputs.
    """

    @property
    def commands(self) -> bool:
        """Whether its programs run installed commands."""
        return False

    @property
    def asked_caps(self) -> frozenset[str]:
        """The caps that the inputs set, which are refused above a ceiling; other caps are lowered to it."""
        return frozenset()

    @abstractmethod
    def draft(self) -> RunConfig:
        """Return the run's configuration before any measurement."""

    async def measured(self, fabric: TaskFabric) -> RunConfig:  # noqa: ARG002 - for overrides
        """Return the run's configuration after measurements, which are steps that the fabric's workers perform."""
        return self.draft()


Planner = Callable[[RunRequest, int, Workshop], Plan]
"""Maps a request, the run's seed and the server's workshop to a plan.

``request.inputs`` have been validated by the form's ``inputs``. It only reads, and runs in a thread as it may be slow.
"""


@dataclass(frozen=True)
class LaunchForm:
    """The form that a client fills in to start a run.

    ``inputs`` is the model that validates ``RunRequest.inputs`` before ``plan`` is called; ``examples`` fit it.
    ``refusal`` returns why this server cannot start such a run, or None.
    """

    inputs: type[BaseModel]
    plan: Planner
    examples: Sequence[FormExample] = ()
    refusal: Callable[[Workshop], str | None] = lambda _workshop: None


@dataclass(frozen=True)
class ServedDomain:
    """A domain in one server; its parts are loaded on first use.

    ``refusal`` is the reason why its registration is unusable. ``open_form``, ``open_text`` and ``open_panels`` raise
    ``BrokenPlugin`` if their part cannot be loaded. ``faults`` describes routers and services that cannot be loaded,
    and ``idle`` lists the services that do not run because of that.
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
        """The launch form; without one, a client gives the domain's configuration.

        Raises:
            BrokenPlugin: the domain or its form cannot be loaded.
        """
        if self.refusal is not None:
            raise BrokenPlugin(self.refusal)
        return self.open_form() if self.open_form is not None else None

    @cached_property
    def text(self) -> TextOf | None:
        """The function that renders genomes as text; None if there is none or it cannot be loaded."""
        return self._unless_broken(self.open_text)

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """The panels that it adds to the page; empty if they cannot be loaded."""
        return self._unless_broken(self.open_panels) or ()

    def _unless_broken(self, opened: Callable[[], Opened] | None) -> Opened | None:
        try:
            return opened() if opened is not None else None
        except PluginError as error:
            structlog.get_logger(__name__).warning("domain_broken", domain=self.name, error=str(error))
            return None
