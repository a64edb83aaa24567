"""What `mendel evolve` and `mendel step` can begin: a domain adds options of its own, and plans the run."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Generic, TypeVar

import structlog

from mendel.bench.planning import Plan, Search
from mendel.bench.records import SourceTask
from mendel.console.registered import part, registrations
from mendel.console.session import Session
from mendel.contracts.errors import BrokenPlugin, ConfigError
from mendel.contracts.run_config import RunConfig
from mendel.ports.registration import blamed
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings

T = TypeVar("T", bound=SourceTask)


@dataclass(frozen=True)
class Asked:
    """What the command line says of a run, whatever domain it is of.

    ``targets`` are files, or functions in them; ``models`` is what was said of models, ``search`` what follows from it
    and from the settings.
    """

    settings: Settings
    search: Search
    targets: tuple[str, ...] = ()
    objective: str | None = None
    files: tuple[Path, ...] = ()
    seed: int | None = None
    models: bool | None = None


@dataclass(frozen=True)
class Invocation(Generic[T]):
    """What reading alone tells of a task and how it is searched, with the settings of this invocation."""

    plan: Plan[T]
    settings: Settings

    @property
    def weak(self) -> bool:
        """Whether it may run behind too few walls."""
        return self.plan.search.weak

    @property
    def path(self) -> Path:
        """The file whose work tree the result belongs to."""
        return Path(self.plan.task.path)

    async def config(self, session: Session, fabric: TaskFabric) -> RunConfig:
        """The run, after a look at the original at work."""
        return await self.plan.measured(fabric, session.announce)


@dataclass(frozen=True, kw_only=True)
class Evolvable:
    """What a domain adds to `mendel evolve` and `mendel step`.

    ``plan`` is called with the session, what is :class:`Asked`, and the domain's own options by name: they are its
    keyword-only parameters, annotated as Typer wants them, each with a default. It refuses what can be refused before a
    database or a sandbox starts. ``chosen_by`` is the option that says that this domain is meant; the domain without
    one is meant where no other is. ``idle`` ends the refusal of an option of this domain where another one is meant.
    """

    plan: Callable[..., Invocation[Any]]
    help: str
    examples: Sequence[str]
    idle: str
    chosen_by: str | None = None

    def options(self) -> Mapping[str, Parameter]:
        """Its own options."""
        parameters = signature(self.plan, eval_str=True).parameters
        return {name: each for name, each in parameters.items() if each.kind is Parameter.KEYWORD_ONLY}

    def given(self, said: Mapping[str, object]) -> dict[str, object]:
        """Those of its options that are not as they are by default."""
        return {name: said[name] for name, each in self.options().items() if said[name] not in (each.default, [])}

    def planned(self, session: Session, asked: Asked, said: Mapping[str, object]) -> Invocation[Any]:
        """The run that is asked for.

        Raises:
            MendelError: something of it cannot be.
        """
        return self.plan(session, asked, **{name: said[name] for name in self.options()})


def evolvables() -> tuple[Evolvable, ...]:
    """What each domain adds to `mendel evolve`, those that come with Mendel first.

    One that does not load, or that cannot be told from another one, is left out, with a warning.
    """
    usable: list[Evolvable] = []
    for registration in registrations():
        if registration.evolve is None:
            continue
        try:
            found = part(registration, "evolve", registration.evolve, Evolvable)
            _refuse_ambiguous(registration.name, found, usable)
        except BrokenPlugin as error:
            structlog.get_logger(__name__).warning("domain_broken", domain=registration.name, error=str(error))
        else:
            usable.append(replace(found, plan=blamed(registration.name, "the plan for `mendel evolve`", found.plan)))
    return tuple(usable)


def _refuse_ambiguous(domain: str, found: Evolvable, others: Sequence[Evolvable]) -> None:
    taken = {name for each in others for name in each.options()}
    twice = sorted(taken & set(found.options()))
    if twice:
        raise BrokenPlugin(f'the domain "{domain}" adds --{twice[0]} to `mendel evolve`, which another domain has')
    if found.chosen_by is None and any(each.chosen_by is None for each in others):
        raise BrokenPlugin(f'the domain "{domain}" names no option that chooses it for `mendel evolve`, as another one')


def chosen(among: Sequence[Evolvable], said: Mapping[str, object]) -> Evolvable:
    """The one that the options mean.

    Raises:
        ConfigError: they mean several, or one of them means something for another one only.
    """
    named = [each for each in among if each.chosen_by is not None and said[each.chosen_by] is not None]
    if len(named) > 1:
        flags = " and ".join(f"--{each.chosen_by}" for each in named)
        raise ConfigError(f"{flags} mean different things; leave out all but one")
    found = named[0] if named else next((each for each in among if each.chosen_by is None), None)
    if found is None:
        flags = " or ".join(f"--{each.chosen_by}" for each in among)
        raise ConfigError(f"nothing that can be evolved is installed{f' without {flags}' if flags else ''}")
    for other in among:
        for name in other.given(said) if other is not found else ():
            raise ConfigError(f"--{name.replace('_', '-')} {other.idle}")
    return found


def drawn(seed: int | None) -> int:
    """The number behind every draw, where none is said."""
    return seed if seed is not None else secrets.randbelow(2**31)
