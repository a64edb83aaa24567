"""The settings of programs in ``mendel.toml``: the function to work on, its rules, and its objective."""

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
    """Refuse a value that does not name a definition in a Python file."""
    file, colon, name = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    if not (colon and file.endswith(".py") and name.isidentifier()) or "\0" in file:
        raise PydanticCustomError("reference", "Input should be FILE.py:NAME, such as rules.py:generate")
    return value


def _objective(value: object) -> object:
    """Convert a table of weights to the notation of the command line."""
    if not isinstance(value, dict):
        return value
    if any(isinstance(weight, bool) or not isinstance(weight, int | float) for weight in value.values()):
        raise PydanticCustomError("objective", "Input should be a table of weights, such as { speed = 2, size = 1 }")
    return ",".join(f"{name}:{weight}" for name, weight in value.items())


Reference = Annotated[str, BeforeValidator(_reference)]
"""A definition in a file: ``FILE.py:NAME``."""

Objective = Annotated[str, StringConstraints(min_length=1, max_length=1_000), BeforeValidator(_objective)]


class MutateSettings(Section):
    """Defaults for what the command line leaves open."""

    target_file: SomePath | None = Field(
        default=None, description="The file for `mendel mutate` and `mendel evolve`, unless the command line names one."
    )
    entry_fn: Qualname | None = Field(default=None, description="The function in that file, or Class.method.")


class EvolveTarget(Section):
    """The part of ``[evolve]`` that only programs have."""

    entry_fn: Qualname | None = Field(
        default=None, description="The function to improve, if not mutate.entry_fn; it is in mutate.target_file."
    )


class TaskSettings(Section):
    """The rules of a `task.py`, and options of the command line; relative paths start at the settings file."""

    task: SomePath | None = Field(
        default=None, description="A task.py; other keys of evolve.task override its definitions."
    )
    generate: Reference | None = Field(
        default=None, description="FILE.py:NAME of generate(rng, size), which makes the arguments of one call."
    )
    examples: Reference | None = Field(
        default=None, description="FILE.py:NAME of a list of example arguments of the function."
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
        default=None, description="FILE.py:NAME of same(left, right): whether two answers are equivalent."
    )
    score: Reference | None = Field(
        default=None, description="FILE.py:NAME of score(output, *arguments), a number to maximise."
    )
    oracle: bool | None = Field(
        default=None, description="Whether the original decides what is right; false: only the properties do."
    )
    sizes: tuple[InputSize, ...] = Field(
        default=(), min_length=1, description="Sizes of the inputs that breeding sees."
    )
    timing_size: LargeSize | None = Field(default=None, description="Size of the inputs for timing.")
    held_sizes: tuple[LargeSize, ...] = Field(default=(), min_length=1, description="Sizes that only the gate sees.")
    objective: Objective | None = Field(
        default=None, description="What to improve: speed, memory, size, opcodes, score; weights as in speed:2,size:1."
    )
    packages: tuple[PackageName, ...] = Field(default=(), description="Packages that programs may import.")
    tests: tuple[SomePath, ...] = Field(default=(), description="pytest files to pass; calls in them are examples.")
    files: tuple[SomePath, ...] = Field(default=(), description="Further files that may be changed.")


def mutate_target(settings: Settings) -> str | None:
    """Return ``FILE:FUNC`` of ``[mutate]``; None if no file is named.

    Raises:
        ConfigError: there is a file without a function, or a function without a file.
    """
    return _target(settings, settings.section(MutateSettings).entry_fn or settings.section(EvolveTarget).entry_fn)


def evolve_target(settings: Settings) -> str | None:
    """Return ``FILE:FUNC``, where ``[evolve]`` overrides the function of ``[mutate]``; raises like the other."""
    return _target(settings, settings.section(EvolveTarget).entry_fn or settings.section(MutateSettings).entry_fn)


def _target(settings: Settings, function: str | None) -> str | None:
    path = settings.section(MutateSettings).target_file
    if path is None and function is None:
        return None
    if path is None:
        raise ConfigError(f"entry_fn = {function!r} is set, but mutate.target_file is not; set that to its file")
    if function is None:
        raise ConfigError(f"mutate.target_file = {str(path)!r} is set, but no entry_fn; set that to a function in it")
    return f"{path}:{function}"


def lookup_fields(settings: Settings) -> dict[str, object]:
    """Return the settings about prompts and lookups that a program's task records, by the names of its fields.

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
