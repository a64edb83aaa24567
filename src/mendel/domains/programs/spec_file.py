"""A user's own ``task.py``: what it may say, and how it is read.

It is its author's code and runs in this process, as a spec of the gate does; so it is loaded only where its digest is
the one that the run recorded. Whatever it does not define is inferred.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.domains.programs.models import ProgramTask, SpecFile
from mendel.guard.equivalence import same
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec, as_arguments

KNOWN: Final = (
    "generate", "examples", "properties", "relations", "equivalence", "score", "oracle", "sizes", "held_sizes",
    "timing_size", "packages", "objective",
)  # fmt: skip
_SCORE: Final = "score"


@dataclass(frozen=True)
class OwnRules:
    """What a ``task.py`` defines.

    ``generate(rng, size)`` makes the arguments of one call; ``examples`` are some. ``properties``, ``relations`` and
    ``equivalence`` are the gate's. ``score(output, *arguments)`` is a number to be raised. With ``oracle = False`` the
    original does not say what is right: properties alone do.
    """

    generate: Callable[[random.Random, int], Any] | None = None
    examples: tuple[Args, ...] = ()
    properties: tuple[Property, ...] = ()
    relations: tuple[MetamorphicRelation, ...] = ()
    equivalence: Callable[[Any, Any], bool] = same
    score: Callable[..., float] | None = None
    oracle: bool = True
    sizes: tuple[int, ...] = ()
    held_sizes: tuple[int, ...] = ()
    timing_size: int | None = None
    packages: tuple[str, ...] = ()
    objective: str | None = None

    def spec(self, task: ProgramTask, held: Callable[[int, int], Sequence[Args]]) -> TaskSpec:
        """The task as the gate sees it, on held-out inputs."""
        metrics = [Metric(_SCORE, lambda output, args: float(self.rated(output, args)))] if self.score else []
        return TaskSpec(
            name=f"{task.path}:{task.function}",
            gen_inputs=held,
            properties=self.properties,
            relations=self.relations,
            equivalence=self.equivalence if self.oracle else _whatever,
            metrics=metrics,
            packages=task.packages,
        )

    def rated(self, output: Any, args: Args) -> float:  # noqa: ANN401 - whatever programs answer
        """The score of an answer."""
        if self.score is None:
            raise SpecFailed("the task has no score")
        return float(self.score(output, *args))

    def made(self, size: int, seed: int, *key: int | str) -> Args:
        """The arguments of one call of about that size.

        Raises:
            SpecFailed: the generator raised, or there is none.
        """
        if self.generate is None:
            raise SpecFailed("the task has no generator")
        rng = random.Random(Entropy("task", seed).word(*key, size))  # noqa: S311  # nosec B311
        try:
            return as_arguments(self.generate(rng, size))
        # Broad on purpose: a task's own code is a process boundary, and what it raises is told as its failure.
        except Exception as error:
            raise SpecFailed(f"generate(rng, {size}) of the task raised {type(error).__name__}: {error}") from error


def _whatever(_left: object, _right: object) -> bool:
    """Every valid answer is as good as any other."""
    return True


def spec_file(path: Path) -> SpecFile:
    """The file as a run records it.

    Raises:
        ConfigError: it cannot be read.
    """
    return SpecFile(path=str(path), sha256=sha256(_read(path)).hexdigest())


def rules_of(spec: SpecFile | None) -> OwnRules:
    """What the file defines.

    Raises:
        ConfigError: it cannot be read, is another than was recorded, or defines something wrongly.
        SpecFailed: it raises.
    """
    if spec is None:
        return OwnRules()
    data = _read(Path(spec.path))
    if sha256(data).hexdigest() != spec.sha256:
        raise ConfigError(f"{spec.path} is another file than the run was begun with; put that one back to go on")
    module = _loaded(data, spec.path)
    found = {name: getattr(module, name) for name in KNOWN if hasattr(module, name)}
    if not found:
        raise ConfigError(f"{spec.path} defines nothing that is known of a task: {', '.join(KNOWN)}")
    return _checked(found, spec.path)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _loaded(data: bytes, path: str) -> ModuleType:
    made = spec_from_loader("mendel_task", loader=None, origin=path)
    if made is None:
        raise ConfigError(f"{path} cannot be loaded")
    module = module_from_spec(made)
    module.__file__ = path
    try:
        exec(compile(data, path, "exec"), module.__dict__)  # noqa: S102  # nosec B102
    # Broad on purpose: a task's own code is a process boundary, and what it raises is told as its failure.
    except Exception as error:
        raise SpecFailed(f"{path} raised {type(error).__name__}: {error}") from error
    return module


def _checked(found: dict[str, Any], path: str) -> OwnRules:
    for name in ("generate", "equivalence", "score"):
        if name in found and not callable(found[name]):
            raise ConfigError(f"{path}: {name} is a function, not a {type(found[name]).__name__}")
    for name, kind in (("properties", Property), ("relations", MetamorphicRelation)):
        wrong = [each for each in found.get(name, ()) if not isinstance(each, kind)]
        if wrong:
            raise ConfigError(f"{path}: {name} holds a {type(wrong[0]).__name__}, not a {kind.__name__}")
    if "examples" in found:
        found["examples"] = tuple(as_arguments(each) for each in found["examples"])
    for name in ("properties", "relations", "sizes", "held_sizes", "packages"):
        if name in found:
            found[name] = tuple(found[name])
    return OwnRules(**found)
