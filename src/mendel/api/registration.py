"""One registration per domain: what it adds to the API. Its part of the page is registered under the same name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from fastapi import APIRouter
from pydantic import BaseModel

from mendel.api.launch_schemas import FormExample, RunRequest
from mendel.api.texts import TextOf
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scrub import Scrubber
from mendel.ports.sandbox import Sandbox

Fields = Callable[[], Mapping[str, object]]


class OpenSandbox(Protocol):
    """Opens the sandbox of this server; with ``commands`` programs in it may run what is installed."""

    def __call__(self, *, commands: bool) -> AbstractAsyncContextManager[Sandbox]:
        """The sandbox, for as long as the block lasts."""


@dataclass(frozen=True)
class Workshop:
    """What a domain may use to prepare a run that somebody asks for.

    ``fields`` are what the settings add to a task that asks models, by domain.
    """

    scrubber: Scrubber
    sandbox: OpenSandbox
    commands_allowed: bool = False
    fields: Mapping[str, Fields] = field(default_factory=dict)


class Plan(Protocol):
    """A run that is asked for, as far as reading tells it."""

    @property
    def commands(self) -> bool:
        """Whether its programs run what is installed here."""

    @property
    def asked_caps(self) -> frozenset[str]:
        """The caps that somebody chose; the others are defaults."""

    def draft(self) -> RunConfig:
        """The run, before anything was run."""

    async def measured(self, sandbox: Sandbox) -> RunConfig:
        """The run, after a look at the original at work."""


Planner = Callable[[RunRequest, int, Workshop], Plan]
"""From what is asked for and a seed to a plan. Reads only; may take a while, so that it is called in a thread."""


@dataclass(frozen=True)
class LaunchForm:
    """What somebody fills in to begin a run."""

    inputs: type[BaseModel]
    plan: Planner
    examples: Sequence[FormExample] = ()
    refusal: Callable[[Workshop], str | None] = lambda _workshop: None


@dataclass(frozen=True)
class DomainApi:
    """What a domain adds; routes are served under ``/api/domains/NAME``. One without a form takes a configuration.

    ``text`` makes a genome readable; without it, its files are shown where it has any, else its data.
    """

    name: str
    title: str
    what: str
    form: LaunchForm | None = None
    router: APIRouter | None = None
    text: TextOf | None = None
