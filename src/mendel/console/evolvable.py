"""What `mendel evolve` and `mendel step` can begin: a domain adds options of its own, and plans the run."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

import structlog

from mendel.bench.planning import Plan, Search
from mendel.bench.records import SourceTask
from mendel.console.registered import made_command, part, registrations, taken_by_typer
from mendel.console.session import Session
from mendel.contracts.errors import BrokenPlugin, ConfigError
from mendel.contracts.run_config import RunConfig
from mendel.ports.registration import DomainRegistration, blamed
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings

T = TypeVar("T", bound=SourceTask)
OWN_OPTIONS: Final = frozenset(
    {
        *("apply", "backend", "budget", "candidates", "commit", "compare", "evaluations", "files", "generations"),
        *("islands", "json", "max_cost", "max_tokens", "models", "objective", "order", "out", "population", "route"),
        *("seconds", "seed", "selector", "slots", "target", "targets", "weak"),
        *("--allow-weak-sandbox", "--apply", "--backend", "--best-of-n", "--budget", "--candidates", "--commit"),
        *("--evaluations", "--files", "--generations", "--help", "--islands", "--json", "--max-cost", "--max-tokens"),
        *("--models", "--no-best-of-n", "--objective", "--offline", "--order", "--out", "--population", "--route"),
        *("--seconds", "--seed", "--selector", "--slots", "--target", "-h"),
    }
)
"""Parameters and flags of `mendel evolve` and `mendel step` themselves: no domain can add one of that name."""


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


class FoundEvolvable(NamedTuple):
    """What a registration names as its ``evolve``, or why that cannot be used."""

    registration: DomainRegistration
    evolvable: Evolvable | None
    refusal: str | None = None


def evolvables() -> tuple[Evolvable, ...]:
    """What each domain adds to `mendel evolve`, those that come with Mendel first.

    One that does not load, that Typer does not take, or that cannot be told from another one, is left out, with a
    warning.
    """
    usable: list[Evolvable] = []
    for registration, found, refusal in found_evolvables():
        if found is None:
            structlog.get_logger(__name__).warning("domain_broken", domain=registration.name, error=refusal)
        else:
            usable.append(replace(found, plan=blamed(registration.name, "the plan for `mendel evolve`", found.plan)))
    return tuple(usable)


def found_evolvables() -> Iterator[FoundEvolvable]:
    """What each domain names, with the refusal of those that are left out."""
    taken = {*OWN_OPTIONS}
    by_none = False
    for registration in registrations():
        if registration.evolve is None:
            continue
        try:
            found = part(registration, "evolve", registration.evolve, Evolvable)
            names = _names(registration.name, found)
            _refuse_ambiguous(registration.name, found, names & taken, by_none=by_none)
        except BrokenPlugin as error:
            yield FoundEvolvable(registration, None, str(error))
        else:
            taken |= names
            by_none = by_none or found.chosen_by is None
            yield FoundEvolvable(registration, found)


def _names(domain: str, found: Evolvable) -> frozenset[str]:
    """The names and flags of its options.

    Raises:
        BrokenPlugin: they are no options that Typer takes.
    """
    told = f'the domain "{domain}" registers an Evolvable'
    examples = cast("object", found.examples)
    texts = (found.help, *examples) if isinstance(examples, Sequence) else (None,)
    if not all(isinstance(each, str) for each in texts):
        raise BrokenPlugin(f"{told} whose help and examples are no texts")
    with taken_by_typer(f"{told} with options that Typer does not take"):
        options = found.options()
        made = made_command(_taking(options))
    wrong = [name for name, each in options.items() if each.default is Parameter.empty]
    wrong += [each.name for each in made.params if each.param_type_name != "option"]
    if wrong:
        raise BrokenPlugin(f"{told} whose {wrong[0]} is no option with a default")
    if found.chosen_by is not None and found.chosen_by not in options:
        raise BrokenPlugin(f"{told} that is chosen by {found.chosen_by}, which is none of its options")
    return frozenset(name for each in made.params for name in (each.name, *each.opts, *each.secondary_opts))


def _taking(options: Mapping[str, Parameter]) -> Callable[..., None]:
    """A function with these parameters alone, to be looked at by Typer."""

    def taking(**_given: object) -> None: ...

    taking.__annotations__ = {name: each.annotation for name, each in options.items()}
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in options.values()]
    taking.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return taking


def _refuse_ambiguous(domain: str, found: Evolvable, twice: frozenset[str], *, by_none: bool) -> None:
    if twice:
        raise BrokenPlugin(f'the domain "{domain}" adds {min(twice)} to `mendel evolve`, which has one already')
    if found.chosen_by is None and by_none:
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
