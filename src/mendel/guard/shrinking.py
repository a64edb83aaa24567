"""Shrinking counter-examples: a greedy search over batches of simpler inputs, run in the sandbox.

A simpler input counts if the task allows it, the baseline passes on it, and the candidate shows the same breach.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from mendel.guard.checking import Breach
from mendel.guard.evaluation import Evaluation, same_breach
from mendel.guard.spec import Args
from mendel.guard.tally import Judged

ROUND: Final = 48  # inputs per batch
MOST_ROUNDS: Final = 200
MOST_SECONDS: Final = 10.0
MOST_PAIRED: Final = 64  # longest list in which equal items are changed together: that takes quadratic time


async def shrunk(evaluation: Evaluation, judged: Judged, breach: Breach) -> tuple[Judged, Breach]:
    """Return the smallest trial found with the same breach, and its breach."""
    best, same = judged, breach
    ends = time.monotonic() + MOST_SECONDS
    simpler = _inputs(best.trial.args)
    for _ in range(MOST_ROUNDS):
        chunk = list(itertools.islice(simpler, ROUND))
        if not chunk or time.monotonic() > ends:
            break
        found = await _first_alike(evaluation, judged.trial.index, chunk, breach)
        if found is not None:
            best, same = found
            simpler = _inputs(best.trial.args)  # start over from the smaller input
    return await _standing(evaluation, (judged, breach), (best, same))


async def _first_alike(
    evaluation: Evaluation, index: int, inputs: Iterable[Args], breach: Breach
) -> tuple[Judged, Breach] | None:
    trials = [evaluation.trials.one(index, args) for args in inputs if _allowed(evaluation, args)]
    if not trials:
        return None
    ours = await evaluation.observer.observe(evaluation.candidate, trials, until_death=True)
    theirs = await evaluation.observer.observe(evaluation.baseline, trials) if evaluation.baseline else None
    for place, trial in enumerate(trials):
        judged = evaluation.judge(trial, ours.answers[place], theirs.answers[place] if theirs else None)
        same = None if judged.against_baseline else same_breach(breach, judged.against_candidate)
        if same is not None:
            return judged, same
    return None


async def _standing(
    evaluation: Evaluation, first: tuple[Judged, Breach], best: tuple[Judged, Breach]
) -> tuple[Judged, Breach]:
    """Return the best trial if fresh processes confirm it, else the first one."""
    if best[0] is first[0]:
        return first
    again = await evaluation.judged_alone(best[0].trial)
    same = same_breach(first[1], again.against_candidate)
    return first if same is None or again.against_baseline else (again, same)


def _allowed(evaluation: Evaluation, args: Args) -> bool:
    valid = evaluation.spec.valid
    if valid is None:
        return True
    try:
        return bool(valid(*args))
    # Broad on purpose: a task's own code may fail on an input that it does not expect; such an input is not allowed.
    except Exception:  # noqa: BLE001
        return False


def _inputs(args: Args) -> Iterator[Args]:
    """Yield arguments with one of them simpler, alternating between arguments, the largest steps first."""
    streams = [_placed(args, place) for place in range(len(args))]
    for group in itertools.zip_longest(*streams):
        yield from (each for each in group if each is not None)


def _placed(args: Args, place: int) -> Iterator[Args]:
    for value in simpler(args[place]):
        yield (*args[:place], value, *args[place + 1 :])


def simpler(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any plain value
    """Yield simpler values of the same type, the largest steps first; repeated steps always come to an end."""
    match value:
        case bool():
            yield from (False,) if value else ()
        case int():
            yield from _simpler_numbers(value)
        case float():
            yield from _simpler_floats(value)
        case str() | bytes():
            yield from _shorter(value)
            yield from _plainer_text(value) if isinstance(value, str) else ()
        case list() | tuple():
            yield from (type(value)(each) for each in _shorter(value))
            yield from _simpler_items(value)
        case dict():
            yield from (dict(each) for each in _shorter(list(value.items())))
            yield from ({**value, key: each} for key, item in value.items() for each in simpler(item))
        case set() | frozenset():
            yield from (type(value)(each) for each in _shorter(sorted(value, key=repr)))
        case dt.datetime() | dt.date():
            yield from _simpler_dates(value)


def _simpler_numbers(value: int) -> Iterator[int]:
    if value < 0:
        yield -value
    magnitude, sign = abs(value), -1 if value < 0 else 1
    steps = (magnitude - (magnitude >> shift) for shift in range(magnitude.bit_length()))
    yield from dict.fromkeys(sign * step for step in steps if 0 <= step < magnitude)


def _simpler_floats(value: float) -> Iterator[float]:
    if not math.isfinite(value):
        return
    if value < 0:
        yield -value
    if value != int(value):
        yield float(int(value))
    yield from dict.fromkeys(float(each) for each in _simpler_numbers(int(value)) if float(each) != value)


def _shorter(items: Any) -> Iterator[Any]:  # noqa: ANN401 - anything that can be sliced
    """Yield the items without a part of them: parts of the whole size, then half, a quarter, down to single items."""
    size = len(items)
    while size:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2


def _plainer_text(value: str) -> Iterator[str]:
    for place, character in enumerate(value):
        if character not in "a0 ":
            plain = "0" if character.isdigit() else "a"
            yield value[:place] + plain + value[place + 1 :]


def _simpler_items(value: Any) -> Iterator[Any]:  # noqa: ANN401 - a list or a tuple
    for place, item in enumerate(value):
        for each in simpler(item):
            yield type(value)((*value[:place], each, *value[place + 1 :]))
    if len(value) <= MOST_PAIRED:
        yield from _simpler_repeats(value)


def _simpler_repeats(value: Any) -> Iterator[Any]:  # noqa: ANN401 - a list or a tuple
    """Yield values with equal items changed together, for breaches that need equal items."""
    seen: list[Any] = []
    for item in value:
        if item not in seen and sum(other == item for other in value) > 1:
            for each in simpler(item):
                yield type(value)(each if other == item else other for other in value)
        seen.append(item)


def _simpler_dates(value: dt.date) -> Iterator[dt.date]:
    """Yield dates closer to 1 January 2000, without a time of day first."""
    if isinstance(value, dt.datetime) and value.replace(hour=0, minute=0, second=0, microsecond=0) != value:
        yield value.replace(hour=0, minute=0, second=0, microsecond=0)
    for changes in ({"year": 2000}, {"month": 1}, {"day": 1}):
        try:
            changed = value.replace(**changes)
        except ValueError:
            continue
        if changed != value:
            yield changed
