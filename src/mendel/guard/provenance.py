"""Provenance of a verdict: hashes of the task and of both sides, seeds, versions, and the sandbox."""

from __future__ import annotations

import inspect
import platform
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from types import BuiltinMethodType, CellType, CodeType, FunctionType, MethodType
from typing import Any, Final

import mendel
from mendel.contracts.evaluations import Isolation
from mendel.contracts.plain_values import spelled
from mendel.contracts.verdicts import Provenance, SampleProvenance, SandboxProvenance
from mendel.guard.implementation import Implementation
from mendel.guard.spec import TaskSpec

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")  # differs in every process


def provenance(
    spec: TaskSpec,
    baseline: Implementation | None,
    candidate: Implementation,
    isolation: Isolation,
    seeds: dict[str, int],
) -> Provenance:
    """Collect the facts that show whether two verdicts are about the same evaluation."""
    return Provenance(
        sandbox=_sandbox(isolation),
        spec_hash=spec_hash(spec),
        candidate_hash=candidate.hash,
        baseline_hash=None if baseline is None else baseline.hash,
        seeds=seeds,
        versions=_versions(),
        platform=_platform(),
    )


def sample_provenance(
    asked: object, candidate: object, champion: object | None, isolation: Isolation | None, samples: SampleProvenance
) -> Provenance:
    """Do the same as ``provenance`` for recorded samples: digests of plain values; tier "none" without isolation."""
    return Provenance(
        sandbox=SandboxProvenance(tier="none") if isolation is None else _sandbox(isolation),
        spec_hash=_digest(asked),
        candidate_hash=_digest(candidate),
        baseline_hash=None if champion is None else _digest(champion),
        versions=_versions(),
        platform=_platform(),
        samples=samples,
    )


def _digest(value: object) -> str:
    return sha256(spelled(value)).hexdigest()


def _versions() -> dict[str, str]:
    return {"mendel": mendel.__version__, "python": platform.python_version()}


def _platform() -> str:
    return f"{sys.platform}-{platform.machine()}"


def _sandbox(isolation: Isolation) -> SandboxProvenance:
    parts = [isolation.backend, isolation.tier, list(isolation.layers), platform.python_version(), platform.machine()]
    return SandboxProvenance(
        tier=isolation.tier,
        weakened=not isolation.adoptable,
        fingerprint=sha256(spelled(parts)).hexdigest(),
        backend=isolation.backend,
        layers=isolation.layers,
        missing=dict(isolation.missing),
    )


def spec_hash(spec: TaskSpec) -> str:
    """Hash the task's name and the source and bytecode of all its parts."""
    return sha256(spelled([spec.name, *_parts(spec)])).hexdigest()


def _parts(spec: TaskSpec) -> Iterator[str]:
    for rule in spec.properties:
        yield f"property {rule.description} {rule.mode} {_text(rule.check)}"
    for relation in spec.relations:
        expect = _text(relation.expect) if callable(relation.expect) else relation.expect
        yield f"relation {relation.name} {expect} {relation.accepts_rng} {_text(relation.transform)}"
    for metric in spec.metrics:
        yield f"metric {metric.name} {metric.kind} {metric.higher_is_better} {_text(metric.extract)}"
    yield f"equivalence {_text(spec.equivalence)}"
    yield f"inputs {_structure(spec.gen_inputs)}"
    for name, function in (("cluster_key", spec.cluster_key), ("valid", spec.valid)):
        yield f"{name} {'' if function is None else _text(function)}"
    yield f"packages {' '.join(spec.packages)}"


@lru_cache(maxsize=1_024)
def _text(function: Callable[..., Any]) -> str:
    """Return a function's source and bytecode; the source alone would be the same for two lambdas on one line."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = getattr(function, "__qualname__", type(function).__qualname__)
    if not isinstance(function, FunctionType):
        return text
    cells = [_held(cell) for cell in function.__closure__ or ()]
    defaults = [_structure(each) for each in function.__defaults__ or ()]
    return f"{text} {_compiled(function.__code__)} {defaults} {cells}"


def _held(cell: CellType) -> str:
    """Describe a closure's value: the same source with another value is another function."""
    try:
        held = cell.cell_contents
    except ValueError:  # empty as yet
        return ""
    # Of a function the bytecode only: its closure may hold the function itself.
    return _compiled(held.__code__) if isinstance(held, FunctionType) else _structure(held)


def _compiled(code: CodeType) -> str:
    constants = [_compiled(each) if isinstance(each, CodeType) else _constant(each) for each in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _constant(value: object) -> str:
    """Spell a constant; ``repr`` of a set would depend on the process's hash seed."""
    try:
        return spelled(value).hex()
    except KeyError:
        return repr(value)


def _structure(value: object, depth: int = 12) -> str:
    """Describe an object's structure, without the memory addresses that a ``repr`` may contain."""
    if isinstance(value, FunctionType):
        return _text(value) if depth else value.__qualname__
    if isinstance(value, list | tuple):
        return f"[{' '.join(_structure(each, depth - 1) for each in value)}]" if depth else "…"
    if isinstance(value, BuiltinMethodType | MethodType):
        return f"{value.__name__} of {_structure(value.__self__, depth - 1)}" if depth else value.__qualname__
    parts = _fields(value)
    if parts is None or not depth:
        return _ADDRESS.sub("", repr(value))
    told = (f"{name}={_structure(each, depth - 1)}" for name, each in sorted(parts.items()))
    return f"{type(value).__qualname__}({' '.join(told)})"


def _fields(value: object) -> dict[str, Any] | None:
    """Return the attributes of an object of this package, such as a generator; others are described by ``repr``."""
    if not type(value).__module__.startswith("mendel."):
        return None
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return {**{name: getattr(value, name) for name in slots if hasattr(value, name)}, **getattr(value, "__dict__", {})}
