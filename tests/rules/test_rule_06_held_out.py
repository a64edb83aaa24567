"""Rule 6: the judge is held out. What is judged does not see the oracle; what breeds never learns why it said no."""

from __future__ import annotations

from tests.kernel.scripted import ScriptedDomain, ambitious, breed, config_of, verdict

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.verdicts import Decision, Reason
from mendel.contracts.work import Answer, Work
from mendel.guard import Implementation, Property, TaskSpec, run_async

SECRET = "only the oracle says 7c0ffee"
ORACLE = f"def solve(number):\n    return {SECRET!r} + str(number * 31)\n"
SPY = """
import gc
import os
import sys


def texts(value, depth):
    if isinstance(value, (str, bytes)):
        yield value if isinstance(value, str) else value.decode("utf-8", "replace")
    elif isinstance(value, dict) and depth:
        for key, item in list(value.items()):
            yield from texts(key, depth - 1)
            yield from texts(item, depth - 1)
    elif isinstance(value, (list, tuple, set)) and depth:
        for item in list(value):
            yield from texts(item, depth - 1)
    elif hasattr(value, "__dict__") and depth:
        yield from texts(vars(value), depth - 1)


def readable():
    for folder, _, names in os.walk("/"):
        if folder.startswith(("/usr", "/lib", "/sys")):
            continue
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    yield file.read(200_000).decode("utf-8", "replace")
            except OSError:
                pass


def frames():
    frame = sys._getframe()
    while frame is not None:
        yield from texts(dict(frame.f_locals), 4)
        frame = frame.f_back


def solve(number):
    seen = set()
    for source in (texts(gc.get_objects(), 3), frames(), readable(), texts(dict(os.environ), 2)):
        for text in source:
            for wanted in WANTED:
                if wanted in text and text != wanted and "WANTED" not in text:
                    seen.add(wanted)
    return sorted(seen)
"""
WANTED = (SECRET[:20], "asked of every ans", "424242424")
"""Beginnings of what it must not find; its own copies of these are not what it looks for."""


def drawn(n: int, seed: int) -> list[tuple[int]]:
    return [(number,) for number in range(n)]


TASK = TaskSpec(
    "oracle",
    drawn,
    [Property(lambda output, number: output == [] or isinstance(output, str), "asked of every answer")],
)


async def test_a_candidate_finds_neither_the_oracle_nor_the_rules_nor_the_seed():
    spy = Implementation.from_source(SPY + f"\n\nWANTED = {WANTED!r}\n")
    async with NativeSandbox() as sandbox:
        report = await run_async(
            TASK,
            Implementation.from_source(ORACLE),
            spy,
            sandbox=sandbox,
            seed=4242424242,
            n=4,
            lint=False,
            shrink=False,
            timeout_s=20,
        )
    (violation,) = report.violations
    assert violation.got == "[]"
    assert (report.code, violation.kind) == ("mismatch", "mismatch")


async def test_the_spy_would_find_what_it_is_shown():
    told = SPY + f"\n\nWANTED = {WANTED!r}\nLEAK = [{SECRET!r}]\n"
    async with NativeSandbox() as sandbox:
        report = await run_async(
            TASK, Implementation.from_source(ORACLE), Implementation.from_source(told), sandbox=sandbox, n=1, lint=False
        )
    assert report.violations[0].got == repr([SECRET[:20]])


async def test_what_breeds_learns_that_the_gate_rejected_but_never_why():
    why = "because of the held-out case 31337"
    shown = []

    async def gate(work: Work) -> Answer:
        reasons = (Reason(code="mismatch", message=why),)
        return Answer(verdict=verdict(work, Decision.REJECT, reasons=reasons))

    def curious(dossier):
        shown.append(repr(dossier))
        return ambitious(dossier)

    _, events = await breed(config_of(), ScriptedDomain(route=curious, handlers={"scripted.gate": gate}))
    assert any(why in repr(event.payload) for event in events if event.type == "gate.verdict")
    assert any("reject" in text for text in shown)
    assert not any("31337" in text or "mismatch" in text for text in shown)
