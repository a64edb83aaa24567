"""Where a task's inputs come from: a function, a sized generator, a Hypothesis strategy, or type hints."""

from __future__ import annotations

import inspect
import itertools
import os
import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, MendelError, SpecFailed
from mendel.guard.generators import Generator, drawn
from mendel.guard.spec import Args, TaskSpec, as_arguments

if TYPE_CHECKING:  # Hypothesis takes a while to import, and most tasks do without it
    from hypothesis.strategies import SearchStrategy

_ROUND: Final = 100
"""Hypothesis' draws depend on how many it is asked for, so it is always asked for so many."""

_CALLED: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def draw(spec: TaskSpec, n: int, seed: int) -> list[Args]:
    """The first ``n`` inputs of ``seed``, each a tuple of arguments; the same again for the same task and seed.

    Raises:
        SpecFailed: the task's generator raised, gave fewer, or is none.
    """
    try:
        found = [as_arguments(value) for value in itertools.islice(_source(spec, n, seed), n)]
    except MendelError as error:
        raise SpecFailed(f"the inputs of task {spec.name!r} cannot be drawn: {error}") from error
    # Broad on purpose: a task's generator is somebody's code, and what it raises is a mistake in it.
    except Exception as error:
        raise SpecFailed(
            f"the inputs of task {spec.name!r} cannot be drawn: its generator raised {type(error).__name__}: {error}"
        ) from error
    if len(found) < n:
        raise SpecFailed(
            f"the generator of task {spec.name!r} gave {len(found)} of {n} inputs; have it make as many as its first"
            " argument says, or ask for fewer"
        )
    return found


def from_hints(function: Callable[..., object]) -> SearchStrategy[tuple[Any, ...]]:
    """A strategy for the arguments of ``function``, made from the types of its parameters.

    Parameters without a place of their own in a call (``*args``, keywords with a default) are left out.

    Raises:
        ConfigError: a parameter has no type, or one that nothing can be made from.
    """
    from hypothesis import strategies

    hints, parameters = _signature(function)
    made = []
    for name, parameter in parameters.items():
        if not _needed(function, parameter):
            continue
        if name not in hints:
            raise ConfigError(
                f"parameter {name!r} of {_name(function)} has no type hint to make inputs from; add one, such as"
                f" {name}: list[int], or give the task a generator"
            )
        made.append(_of_hint(hints[name], f"parameter {name!r} of {_name(function)}"))
    return strategies.tuples(*made)


def _source(spec: TaskSpec, n: int, seed: int) -> Iterable[object]:
    given = spec.gen_inputs
    if isinstance(given, Generator):
        return (drawn(given, seed, index) for index in range(n))
    if _is_strategy(given):
        return _of_strategy(given, n, seed)
    if not callable(given):
        raise SpecFailed(
            f"a {type(given).__name__} is neither a function of (n, seed), nor a generator of"
            " mendel.guard.generators, nor a Hypothesis strategy"
        )
    made = given(n, seed)
    if not isinstance(made, Iterable):
        raise SpecFailed(f"its generator answered with a {type(made).__name__} and not with inputs; return a list")
    return made


def _is_strategy(given: object) -> bool:
    """Whoever has a strategy has imported Hypothesis already."""
    if "hypothesis" not in sys.modules:
        return False
    from hypothesis.strategies import SearchStrategy

    return isinstance(given, SearchStrategy)


def _of_strategy(strategy: Any, n: int, seed: int) -> Iterator[object]:  # noqa: ANN401 - checked above
    """Rounds of examples under seeds of their own, until there are enough. Small spaces repeat themselves."""
    found = 0
    for turn in itertools.count():
        if found >= n:
            return
        examples = _round(strategy, Entropy("hypothesis", seed).word(turn))
        if not examples:
            raise SpecFailed("its strategy has no examples; look at what it filters")
        found += len(examples)
        # It begins with the simplest one and then varies what it had: any place must be as good as any other.
        yield from Entropy("hypothesis", seed, turn).sample(examples, len(examples))


def _round(strategy: Any, seed: int) -> list[object]:  # noqa: ANN401 - as above
    import hypothesis

    found: list[object] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        database=None,
        phases=(hypothesis.Phase.generate,),
        deadline=None,
        max_examples=_ROUND,
        suppress_health_check=list(hypothesis.HealthCheck),
        derandomize=False,
        print_blob=False,
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def collect(example: object) -> None:
        found.append(example)

    with _hypothesis_alone():
        collect()
    return found


@contextmanager
def _hypothesis_alone() -> Iterator[None]:
    """Hypothesis without a folder to write to, and without constants that it reads from whatever modules are loaded.

    With them the same seed would draw differently in another process.
    """
    from hypothesis import configuration
    from hypothesis.internal import constants_ast
    from hypothesis.internal.conjecture import providers

    home = vars(configuration).get("__hypothesis_home_directory")
    collected = getattr(providers, "_get_local_constants", None)
    configuration.set_hypothesis_home_dir(os.devnull)
    if collected is not None:
        providers._get_local_constants = constants_ast.Constants
        providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        configuration.set_hypothesis_home_dir(home)
        if collected is not None:
            providers._get_local_constants = collected
            providers.CONSTANTS_CACHE.cache.clear()


def _signature(function: Callable[..., object]) -> tuple[dict[str, Any], Mapping[str, inspect.Parameter]]:
    try:
        return typing.get_type_hints(function), inspect.signature(function).parameters
    except (NameError, TypeError, AttributeError, ValueError) as error:
        raise ConfigError(f"the type hints of {_name(function)} cannot be read: {error}") from error


def _needed(function: Callable[..., object], parameter: inspect.Parameter) -> bool:
    """Whether a call has a place for the parameter."""
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.default is inspect.Parameter.empty:
        raise ConfigError(
            f"parameter {parameter.name!r} of {_name(function)} can be given by keyword only, but inputs are given by"
            " place"
        )
    return parameter.kind in _CALLED


def _of_hint(hint: Any, what: str) -> SearchStrategy[Any]:  # noqa: ANN401 - a hint may be any object
    from hypothesis import errors, strategies

    try:
        with _hypothesis_alone():
            made = strategies.from_type(hint)
            made.validate()
    except errors.HypothesisException as error:
        raise ConfigError(f"no inputs can be made for {what}: {error}") from error
    return made


def _name(function: Callable[..., object]) -> str:
    return getattr(function, "__qualname__", type(function).__qualname__)
