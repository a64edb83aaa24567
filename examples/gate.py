"""The gate in one file: is the candidate as good as the baseline? Run ``python examples/gate.py``."""

import sys

from mendel.guard import Property, TaskSpec, run
from mendel.guard.generators import arguments, integers, lists


def baseline(numbers: list[int]) -> list[int]:
    """Return each number once, in order of first occurrence; slow."""
    return [number for place, number in enumerate(numbers) if number not in numbers[:place]]


def candidate(numbers: list[int]) -> list[int]:
    """The same, fast."""
    return list(dict.fromkeys(numbers))


def hasty(numbers: list[int]) -> list[int]:
    """Return each number once, but in another order."""
    return sorted(set(numbers))


SPEC = TaskSpec(
    name="without_repeats",
    gen_inputs=arguments(lists(integers(-9, 9), max_size=30)),
    properties=[Property(check=lambda output, numbers: len(output) == len(set(numbers)), description="no repeats")],
)

if __name__ == "__main__":
    for challenger in (candidate, hasty):
        report = run(SPEC, baseline, challenger)
        sys.stdout.write(f"{challenger.__name__}: {report.decision}, {report.reason}\n")
