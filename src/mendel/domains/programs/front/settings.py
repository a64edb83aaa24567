"""What programs read from ``mendel.toml``: the function to work on, what is right, and what is improved."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from mendel.contracts.errors import ConfigError
from mendel.settings import Settings, templates_of
from mendel.settings.lookups import OFF
from mendel.settings.values import Section, SomePath, Whole

Qualname = Annotated[str, StringConstraints(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*$", max_length=1_000)]
InputSize = Annotated[Whole, Field(ge=0, le=10_000_000)]
LargeSize = Annotated[Whole, Field(ge=1, le=10_000_000)]
PackageName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]


def _reference(value: object) -> object:
    """Refuse what does not name something that a file of Python defines."""
    file, colon, name = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    if not (colon and file.endswith(".py") and name.isidentifier()) or "\0" in file:
        raise PydanticCustomError("reference", "Input should be FILE.py:NAME, such as rules.py:generate")
    return value


def _objective(value: object) -> object:
    """A table of weights as the command line would write it."""
    if not isinstance(value, dict):
        return value
    if any(isinstance(weight, bool) or not isinstance(weight, int | float) for weight in value.values()):
        raise PydanticCustomError("objective", "Input should be a table of weights, such as { speed = 2, size = 1 }")
    return ",".join(f"{name}:{weight}" for name, weight in value.items())


Reference = Annotated[str, BeforeValidator(_reference)]
"""Something that a file defines: ``FILE.py:NAME``."""

Objective = Annotated[str, StringConstraints(min_length=1, max_length=1_000), BeforeValidator(_objective)]


class MutateSettings(Section):
    """What is varied where the command line does not say it."""

    target_file: SomePath | None = Field(
        default=None, description="The file that `mendel mutate` and `mendel evolve` work on if given none."
    )
    entry_fn: Qualname | None = Field(default=None, description="The function in that file, or Class.method.")


class EvolveTarget(Section):
    """What of ``[evolve]`` only programs have."""

    entry_fn: Qualname | None = Field(
        default=None, description="The function to improve, if not mutate.entry_fn; it lies in mutate.target_file."
    )


class TaskSettings(Section):
    """What a `task.py` would say, and what stands beside one on the command line; relative paths are the file's own."""

    task: SomePath | None = Field(
        default=None, description="A task.py; what is set beside it in evolve.task counts instead of its own."
    )
    generate: Reference | None = Field(
        default=None, description="FILE.py:NAME of generate(rng, size), which makes the arguments of one call."
    )
    examples: Reference | None = Field(
        default=None, description="FILE.py:NAME of a list of arguments that the function is called with."
    )
    properties: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of check(output, *arguments), or of properties of the gate."
    )
    relations: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of transform(*arguments), or of relations of the gate."
    )
    metrics: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of measure(output, *arguments), or of metrics of the gate."
    )
    equivalence: Reference | None = Field(
        default=None, description="FILE.py:NAME of same(left, right): whether two answers are as good as one."
    )
    score: Reference | None = Field(
        default=None, description="FILE.py:NAME of score(output, *arguments), a number to be raised."
    )
    oracle: bool | None = Field(
        default=None, description="Whether the original says what is right; false: properties alone do."
    )
    sizes: tuple[InputSize, ...] = Field(
        default=(), min_length=1, description="Sizes of the inputs that breeding sees."
    )
    timing_size: LargeSize | None = Field(default=None, description="The size of the inputs that it is timed on.")
    held_sizes: tuple[LargeSize, ...] = Field(default=(), min_length=1, description="Sizes that only the gate sees.")
    objective: Objective | None = Field(
        default=None, description="What is improved: speed, memory, size, opcodes, score; weights as in speed:2,size:1."
    )
    packages: tuple[PackageName, ...] = Field(default=(), description="Packages that programs may import.")
    tests: tuple[SomePath, ...] = Field(default=(), description="pytest files: a screen, and examples of calls.")
    files: tuple[SomePath, ...] = Field(default=(), description="Further files that may be changed.")


def mutate_target(settings: Settings) -> str | None:
    """``FILE:FUNC`` of ``[mutate]``; none where no file is named.

    Raises:
        ConfigError: there is a file and no function, or a function and no file.
    """
    return _target(settings, settings.section(MutateSettings).entry_fn or settings.section(EvolveTarget).entry_fn)


def evolve_target(settings: Settings) -> str | None:
    """``FILE:FUNC`` of ``[mutate]``, with the function of ``[evolve]`` if that names one; raises as the other does."""
    return _target(settings, settings.section(EvolveTarget).entry_fn or settings.section(MutateSettings).entry_fn)


def _target(settings: Settings, function: str | None) -> str | None:
    path = settings.section(MutateSettings).target_file
    if path is None and function is None:
        return None
    if path is None:
        raise ConfigError(f"entry_fn = {function!r} is set, and mutate.target_file is not: in which file is it?")
    if function is None:
        raise ConfigError(f"mutate.target_file = {str(path)!r} is set, and no entry_fn beside it: which function?")
    return f"{path}:{function}"


def lookup_fields(settings: Settings) -> dict[str, object]:
    """What the task of a program keeps of the settings about prompts and lookups, by the names of its fields.

    Raises:
        ConfigError: as :func:`templates_of` does.
    """
    passages = settings.retrieval.limit if settings.retrieval.backend != OFF else 0
    return {
        "templates": templates_of(settings),
        "same_looks": settings.embeddings.novelty,
        "background": passages,
        "model_share": settings.llm.share,
    }
