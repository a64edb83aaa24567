"""Extension of `mendel evolve` and `mendel step` by domains, which add options and plan the run."""

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
"""Parameters and flags of `mendel evolve` and `mendel step` themselves, which domains cannot reuse."""


@dataclass(frozen=True)
class Asked:
    """Options of the command line for a run of any domain.

    ``targets`` are files, or functions in them. ``models`` is the option --models or --offline, if given. ``search``
    combines the options and the settings.
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
    """A task and its search, planned without running anything, with the settings of this invocation."""

    plan: Plan[T]
    settings: Settings

    @property
    def weak(self) -> bool:
        """Whether the run may continue in a weak sandbox."""
        return self.plan.search.weak

    @property
    def path(self) -> Path:
        """The file whose work tree receives the result."""
        return Path(self.plan.task.path)

    async def config(self, session: Session, fabric: TaskFabric) -> RunConfig:
        """Measure the original, and return the configuration of the run."""
        return await self.plan.measured(fabric, session.announce)


@dataclass(frozen=True, kw_only=True)
class Evolvable:
    """A domain's extension of `mendel evolve` and `mendel step`.

    ``plan`` is called with the session, :class:`Asked`, and the domain's own options by name. These are its
    keyword-only parameters, each with a Typer annotation and a default. ``plan`` should refuse invalid requests,
    because it runs before a database or a sandbox starts. ``chosen_by`` is the option that selects this domain; the one
    domain without it is the default. ``idle`` ends the error message about an option of an unselected domain.
    """

    plan: Callable[..., Invocation[Any]]
    help: str
    examples: Sequence[str]
    idle: str
    chosen_by: str | None = None

    def options(self) -> Mapping[str, Parameter]:
        """Return the domain's own options."""
        parameters = signature(self.plan, eval_str=True).parameters  # annotations may be strings
        return {name: each for name, each in parameters.items() if each.kind is Parameter.KEYWORD_ONLY}

    def given(self, said: Mapping[str, object]) -> dict[str, object]:
        """Return those of its options that differ from their defaults."""
        # Typer may pass [] for a repeatable option that is not given.
        return {name: said[name] for name, each in self.options().items() if said[name] not in (each.default, [])}

    def planned(self, session: Session, asked: Asked, said: Mapping[str, object]) -> Invocation[Any]:
        """Plan the requested run.

        Raises:
            MendelError: the request is invalid.
        """
        return self.plan(session, asked, **{name: said[name] for name in self.options()})


class FoundEvolvable(NamedTuple):
    """The extension in a registration's field ``evolve``, or the reason why it cannot be used."""

    registration: DomainRegistration
    evolvable: Evolvable | None
    refusal: str | None = None


def evolvables() -> tuple[Evolvable, ...]:
    """Return the domains' extensions of `mendel evolve`, those that come with Mendel first.

    An extension is left out with a warning if it does not load, has options that Typer does not support, or is
    ambiguous.
    """
    usable: list[Evolvable] = []
    for registration, found, refusal in found_evolvables():
        if found is None:
            structlog.get_logger(__name__).warning("domain_broken", domain=registration.name, error=refusal)
        else:
            usable.append(replace(found, plan=blamed(registration.name, "the plan for `mendel evolve`", found.plan)))
    return tuple(usable)


def found_evolvables() -> Iterator[FoundEvolvable]:
    """Yield the extension of each domain, with a refusal for those that are left out."""
    taken = {*OWN_OPTIONS}  # grows: the first domain gets a name, later ones are refused
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
    """Return the names and flags of an extension's options.

    Raises:
        BrokenPlugin: the extension is invalid, or Typer does not support an option.
    """
    told = f'the domain "{domain}" registers an Evolvable'
    examples = cast("object", found.examples)  # a plug-in need not keep to its annotation
    texts = (found.help, *examples) if isinstance(examples, Sequence) else (None,)
    if not all(isinstance(each, str) for each in texts):
        raise BrokenPlugin(f"{told} whose help and examples are not texts")
    with taken_by_typer(f"{told} with options that Typer does not take"):
        options = found.options()
        made = made_command(_taking(options))
    wrong = [name for name, each in options.items() if each.default is Parameter.empty]
    wrong += [each.name for each in made.params if each.param_type_name != "option"]
    if wrong:
        raise BrokenPlugin(f"{told} whose {wrong[0]} is not an option with a default")
    if found.chosen_by is not None and found.chosen_by not in options:
        raise BrokenPlugin(f"{told} that is chosen by {found.chosen_by}, which is not one of its options")
    return frozenset(name for each in made.params for name in (each.name, *each.opts, *each.secondary_opts))


def _taking(options: Mapping[str, Parameter]) -> Callable[..., None]:
    """Return a function with only these parameters, for Typer to inspect."""

    def taking(**_given: object) -> None: ...

    taking.__annotations__ = {name: each.annotation for name, each in options.items()}
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in options.values()]
    taking.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return taking


def _refuse_ambiguous(domain: str, found: Evolvable, twice: frozenset[str], *, by_none: bool) -> None:
    if twice:
        raise BrokenPlugin(f'the domain "{domain}" adds {min(twice)} to `mendel evolve`, which already has one')
    if found.chosen_by is None and by_none:
        raise BrokenPlugin(
            f'the domain "{domain}" names no option that chooses it for `mendel evolve`, like another one'
        )


def chosen(among: Sequence[Evolvable], said: Mapping[str, object]) -> Evolvable:
    """Return the extension selected by the options.

    Raises:
        ConfigError: the options select several, or one of them belongs to another extension.
    """
    named = [each for each in among if each.chosen_by is not None and said[each.chosen_by] is not None]
    if len(named) > 1:
        flags = " and ".join(f"--{each.chosen_by}" for each in named)
        raise ConfigError(f"{flags} exclude each other; give only one of them")
    found = named[0] if named else next((each for each in among if each.chosen_by is None), None)
    if found is None:
        flags = " or ".join(f"--{each.chosen_by}" for each in among)
        raise ConfigError(f"nothing that can be evolved is installed{f' without {flags}' if flags else ''}")
    for other in among:
        for name in other.given(said) if other is not found else ():
            raise ConfigError(f"--{name.replace('_', '-')} {other.idle}")
    return found


def drawn(seed: int | None) -> int:
    """Return the seed, or a random one if none is given."""
    return seed if seed is not None else secrets.randbelow(2**31)  # short enough to type again
