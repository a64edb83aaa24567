"""The gate: it adopts a candidate only if properties, relations, a comparison and statistics all support it.

::

    from mendel.guard import Property, TaskSpec, generators, run

    spec = TaskSpec(
        name="absolute",
        gen_inputs=generators.arguments(generators.integers(-1000, 1000)),
        properties=[Property(check=lambda output, x: output >= 0, description="never negative")],
    )
    report = run(spec, baseline=abs_with_if, candidate=abs_with_max)
    print(report.decision, report.reason)

No code of a baseline or a candidate runs in this process: the source of both is shipped into the sandbox.
"""

import importlib
import typing

from mendel.contracts.verdicts import Challenge, Decision, Verdict, Violation
from mendel.guard.codes import Code
from mendel.guard.config import GuardConfig
from mendel.guard.equivalence import close, multiset_equal, same
from mendel.guard.implementation import Implementation
from mendel.guard.inputs import from_hints
from mendel.guard.registry import get_task, task, task_names
from mendel.guard.report import Report, load_report
from mendel.guard.spec import MetamorphicRelation, Metric, Property, TaskSpec

if typing.TYPE_CHECKING:
    from mendel.guard.gate import Comparison, compare, run, run_async, run_with_config
    from mendel.guard.recorded_samples import Sample, judge_samples

EvaluationConfig = EvaluatorConfig = GuardConfig
"""Other names of :class:`GuardConfig`, which some configurations use."""

__all__ = [
    "Challenge",
    "Code",
    "Comparison",
    "Decision",
    "EvaluationConfig",
    "EvaluatorConfig",
    "GuardConfig",
    "Implementation",
    "MetamorphicRelation",
    "Metric",
    "Property",
    "Report",
    "Sample",
    "TaskSpec",
    "Verdict",
    "Violation",
    "close",
    "compare",
    "from_hints",
    "get_task",
    "judge_samples",
    "load_report",
    "multiset_equal",
    "run",
    "run_async",
    "run_with_config",
    "same",
    "task",
    "task_names",
]

_LATER = {
    "mendel.guard.gate": ("Comparison", "compare", "run", "run_async", "run_with_config"),
    "mendel.guard.recorded_samples": ("Sample", "judge_samples"),
}


if not typing.TYPE_CHECKING:  # with a visible __getattr__, a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Import the modules that need numpy on first access: a page or a projection does not need them."""
        for module, names in _LATER.items():
            if name in names:
                globals()[name] = found = getattr(importlib.import_module(module), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
