"""The sources of a task's inputs: a function, a sized generator, a Hypothesis strategy, or type hints."""

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
"""Number of examples per run of Hypothesis; it is fixed, because Hypothesis draws depend on it."""

_CALLED: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def draw(spec: TaskSpec, n: int, seed: int) -> list[Args]:
    """Draw the first ``n`` inputs of ``seed``, each a tuple of arguments; task and seed determine them.

    Raises:
        SpecFailed: the task's generator raised, returned too few inputs, or is not a generator.
    """
    try:
        found = [as_arguments(value) for value in itertools.islice(_source(spec, n, seed), n)]
    except MendelError as error:
        raise SpecFailed(f"the inputs of task {spec.name!r} cannot be drawn: {error}") from error
    # Broad on purpose: the generator is code of the task, and any error in it is a mistake of the task.
    except Exception as error:
        raise SpecFailed(
            f"the inputs of task {spec.name!r} cannot be drawn: its generator raised {type(error).__name__}: {error}"
        ) from error
    if len(found) < n:
        raise SpecFailed(
            f"the generator of task {spec.name!r} returned {len(found)} of {n} inputs; let it return as many as its"
            " first argument says, or judge fewer cases"
        )
    return found


def from_hints(function: Callable[..., object]) -> SearchStrategy[tuple[Any, ...]]:
    """Make a Hypothesis strategy for the arguments of ``function`` from its type hints.

    Variadic parameters and keyword-only parameters with a default are left out.

    Raises:
        ConfigError: a parameter has no type hint, or one that Hypothesis cannot generate.
    """
    from hypothesis import strategies

    hints, parameters = _signature(function)
    made = []
    for name, parameter in parameters.items():
        if not _needed(function, parameter):
            continue
        if name not in hints:
            raise ConfigError(
                f"parameter {name!r} of {_name(function)} has no type hint to generate inputs from; add one, such as"
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
        raise SpecFailed(f"its generator returned a {type(made).__name__} instead of inputs; return a list")
    return made


def _is_strategy(given: object) -> bool:
    """Return whether an object is a strategy, without importing Hypothesis: a strategy exists only if it is loaded."""
    if "hypothesis" not in sys.modules:
        return False
    from hypothesis.strategies import SearchStrategy

    return isinstance(given, SearchStrategy)


def _of_strategy(strategy: Any, n: int, seed: int) -> Iterator[object]:  # noqa: ANN401 - checked above
    """Yield rounds of examples, each with its own seed, until there are enough; small spaces repeat examples."""
    found = 0
    for turn in itertools.count():
        if found >= n:
            return
        examples = _round(strategy, Entropy("hypothesis", seed).word(turn))
        if not examples:
            raise SpecFailed("its strategy has no examples; check its filters")
        found += len(examples)
        # Hypothesis begins with the simplest example and then varies earlier ones; shuffling makes positions equal.
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
    """Keep Hypothesis from writing to its folder, and from using constants that it collects from loaded modules.

    With these constants, the same seed would draw differently in a process with other modules.
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
    """Return whether the parameter is positional; refuse a keyword-only one that a call must give."""
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.default is inspect.Parameter.empty:
        raise ConfigError(
            f"parameter {parameter.name!r} of {_name(function)} is keyword-only, but inputs are positional; give it a"
            " default"
        )
    return parameter.kind in _CALLED


def _of_hint(hint: Any, what: str) -> SearchStrategy[Any]:  # noqa: ANN401 - a hint may be any object
    from hypothesis import errors, strategies

    try:
        with _hypothesis_alone():
            made = strategies.from_type(hint)
            made.validate()
    except errors.HypothesisException as error:
        raise ConfigError(f"no inputs can be generated for {what}: {error}") from error
    return made


def _name(function: Callable[..., object]) -> str:
    return getattr(function, "__qualname__", type(function).__qualname__)
