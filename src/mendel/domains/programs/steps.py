"""The steps of programs, those that vary and those that measure, and the bench that they share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import isawaitable
from typing import Any, Final

from mendel.bench.auditing import audited
from mendel.bench.challenging import Claim, challenged
from mendel.bench.examining import Examination
from mendel.bench.preparing import clocked, sized, vetted
from mendel.bench.records import Repair
from mendel.bench.repairing import mended, suspected
from mendel.bench.source_domain import REPAIRED
from mendel.bench.timing import Stopwatch, duelled
from mendel.bench.work import Benches, champion_files, used
from mendel.bench.workbench import Workbench
from mendel.breeding.catalogue import OPERATORS, drawn, in_turn
from mendel.breeding.code import Edit, parsed
from mendel.breeding.crossover import crossover
from mendel.breeding.library.observing import LOOKING
from mendel.breeding.library.search import PATIENCE, heat, library_edits
from mendel.breeding.mutators import OFFLINE, Mutation, MutationRequest, Mutator, find_mutator
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.operators import Variation, vary
from mendel.breeding.rewrites.tidying import tidied
from mendel.breeding.view import View
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import HandlerFailed, SourceNotPython
from mendel.contracts.evaluations import Limits, Program
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.domain import CROSSOVER, LIBRARY
from mendel.domains.programs.models import LibraryUse, LibraryUses, ProgramTask, ProgramTraits, payload, task_of
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

OBSERVED: Final = 10
"""So many inputs are watched to see what blocks of a program do."""
CALM: Final = 60.0
CALMLY: Final = Limits(case_s=20.0, batch_s=120.0)
"""Where runs are to repeat exactly, a busy machine must not decide what is seen."""
_KEPT: Final = 512
_MUTATOR: Final = (
    "a mutator is a coroutine function (async def) of a MutationRequest that answers with a Mutation(text, note), both"
    " of them texts"
)
_TWICE: Final = 0.15
"""How often two edits are made in one go: some improvements need both."""


@dataclass
class ProgramBench(Workbench):
    """The bench of a run of programs."""

    task: ProgramTask

    @cached_property
    def mutator(self) -> Mutator | None:
        """Who varies programs, if not the operators here; looked up once, since that looks through all packages."""
        return find_mutator(self.task.mutator) if self.task.mutator != OFFLINE else None

    def used(self, sandbox: Sandbox) -> Usage:
        """What a step used so far; nothing that a clock says where opcodes count."""
        return Usage() if self.counted else used(sandbox)

    def champion(self, work: Work) -> Program:
        """Whom a challenger is compared with."""
        files = champion_files(work)
        return self.program(files) if files is not None else self.original


BENCHES = Benches(task_of, ProgramBench)
material = BENCHES.material


def parents_of(work: Work, ports: Ports) -> tuple[ProgramBench, list[ProgramTraits], Sandbox]:
    """What a variation works with.

    Raises:
        ValueError: the run has no task, or nobody gave the step a sandbox.
    """
    parents = [ProgramTraits.model_validate(each.data) for each in work.material.parents]
    return BENCHES.of(work), parents, ports.sandbox


# What watching programs shows, kept.


_Watched = tuple[str, str, int]


class Observations:
    """What watching programs has shown, by their text and the run's seed, which draws the inputs of that."""

    def __init__(self) -> None:
        self._edits: OrderedDict[_Watched, tuple[Edit, ...]] = OrderedDict()
        self._heat: OrderedDict[_Watched, dict[int, float]] = OrderedDict()

    async def edits(self, bench: Workbench, view: View, sandbox: Sandbox) -> tuple[Edit, ...]:
        """Uses of the library whose behaviour fits."""
        key = (bench.task.entry, view.code.text, bench.seed)
        if key not in self._edits:
            small = bench.seen[: max(OBSERVED, len(bench.seen) // 2)]
            inputs = [trial.args for trial in small[:: max(1, len(small) // OBSERVED)]][:OBSERVED]
            patience, limits = (CALM, CALMLY) if bench.counted else (PATIENCE, LOOKING)
            self._edits[key] = await library_edits(
                view,
                inputs,
                sandbox,
                entry=bench.task.function,
                patience=patience,
                limits=limits,
                grants=bench.grants,
            )
            _bound(self._edits)
        return self._edits[key]

    async def heat(self, bench: Workbench, view: View, sandbox: Sandbox) -> dict[int, float]:
        """Where the time goes."""
        key = (bench.task.entry, view.code.text, bench.seed)
        if key not in self._heat:
            inputs = [trial.args for trial in bench.seen[-2:]]
            limits = CALMLY if bench.counted else LOOKING
            self._heat[key] = await heat(
                view, inputs, sandbox, entry=bench.task.function, limits=limits, grants=bench.grants
            )
            _bound(self._heat)
        return self._heat[key]


def _bound(kept: OrderedDict[_Watched, Any]) -> None:
    while len(kept) > _KEPT:
        kept.popitem(last=False)


OBSERVATIONS: Final = Observations()
"""Of this process."""


# The steps that vary: one edit of one parent, or two parents crossed.


async def vary_one(work: Work, ports: Ports) -> Answer:
    """The step ``programs.vary``: one edit of one parent, sometimes two.

    Raises:
        HandlerFailed: no operator finds anything to change.
    """
    bench, parents, sandbox = parents_of(work, ports)
    name = work.operation.operator or ""
    path = work.entropy.pick(bench.task.editable, "file")
    if bench.mutator is not None:
        return await _by_mutator(bench, bench.mutator, parents, path, work)
    if work.operation.inputs is not None:
        return await _repaired(bench, parents[0], Repair.model_validate(work.operation.inputs.data), work, sandbox)
    made = await _varied(bench, parents[0], path, name, work, sandbox)
    if made is None:
        raise HandlerFailed("nothing_to_vary", f"no operator finds anything to change in {path}")
    return _answer(parents[0], path, made, bench.used(sandbox))


async def _by_mutator(
    bench: ProgramBench, mutator: Mutator, parents: list[ProgramTraits], path: str, work: Work
) -> Answer:
    """What a plug-in makes of the parents; only that it parses is looked at here, the rest is examined."""
    task = bench.task
    texts = tuple(parent.files[path] for parent in parents)
    request = MutationRequest(path, texts, task.roots[path], task.function, work.entropy.child("mutator"))
    try:
        mutation = await _asked(mutator, request, task.mutator)
    except HandlerFailed:
        raise
    # Broad on purpose: a plug-in is a process boundary, and what it raises is told as its failure.
    except Exception as error:
        told = f'mutator "{task.mutator}" raised {type(error).__name__}: {error}'
        raise HandlerFailed("mutator_raised", told) from error
    try:
        code = parsed(mutation.text, path)
    except SourceNotPython as error:
        raise HandlerFailed("not_python", str(error)) from error
    return _answer(parents[0], path, Variation(code, task.mutator, "plain", mutation.note), Usage())


async def _asked(mutator: Mutator, request: MutationRequest, name: str) -> Mutation:
    """What a mutator answers; a plug-in is foreign code, so its types are looked at."""
    awaited: object = mutator(request)
    if not isawaitable(awaited):
        raise HandlerFailed(
            "bad_mutator", f'mutator "{name}" is no coroutine function: called, it gives {_kind(awaited)}; {_MUTATOR}'
        )
    answer: object = await awaited
    if not isinstance(answer, Mutation):
        raise HandlerFailed("bad_mutation", f'mutator "{name}" answers with {_kind(answer)}; {_MUTATOR}')
    held: tuple[object, object] = (answer.text, answer.note)
    if not all(isinstance(each, str) for each in held):
        kinds = f"text is {_kind(answer.text)} and note {_kind(answer.note)}"
        raise HandlerFailed("bad_mutation", f'mutator "{name}" answers with a Mutation whose {kinds}; {_MUTATOR}')
    return answer


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


async def cross_two(work: Work, ports: Ports) -> Answer:
    """The step ``programs.cross``: a piece of the second parent in the first; if they have none to offer, an edit."""
    bench, parents, sandbox = parents_of(work, ports)
    if bench.mutator is not None:
        path = work.entropy.pick(bench.task.editable, "file")
        return await _by_mutator(bench, bench.mutator, parents, path, work)
    first, second = parents
    differing = [path for path in bench.task.editable if first.files[path] != second.files[path]]
    path = work.entropy.pick(differing or bench.task.editable, "file")
    view = view_of(bench, first, path, [second])
    edit = crossover(view, parsed(second.files[path], path), work.entropy.child("cross"))
    made = view.code.edited(edit) if edit is not None else None
    if edit is not None and made is not None and fingerprint(made) not in _prints(parents, path):
        return _answer(first, path, Variation(made, CROSSOVER, "plain", edit.note), bench.used(sandbox))
    mutated = await _varied(bench, first, path, "", work, sandbox)
    if mutated is None:
        raise HandlerFailed("nothing_to_vary", f"no operator finds anything to change in {path}")
    return _answer(first, path, mutated, bench.used(sandbox))


def _prints(parents: Iterable[ProgramTraits], path: str) -> set[str]:
    return {fingerprint(parsed(parent.files[path], path)) for parent in parents}


def view_of(bench: Workbench, parent: ProgramTraits, path: str, others: Iterable[ProgramTraits] = ()) -> View:
    """A parent's file as operators see it; the original and ``others`` lend them pieces."""
    texts = dict.fromkeys([bench.task.files[path], *(other.files[path] for other in others)])
    donors = tuple(parsed(text, path) for text in texts if text != parent.files[path])
    return View(parsed(parent.files[path], path), bench.task.roots[path], donors, packages=bench.task.packages)


async def _varied(
    bench: Workbench, parent: ProgramTraits, path: str, name: str, work: Work, sandbox: Sandbox
) -> Variation | None:
    view = view_of(bench, parent, path)
    if path == bench.task.main and bench.observable:
        view = View(view.code, view.roots, view.donors, await OBSERVATIONS.heat(bench, view, sandbox), view.packages)
    for place, operator in enumerate(_in_turn(name, work.entropy)):
        entropy = work.entropy.child("vary", place)
        if operator == LIBRARY:
            watched = path == bench.task.main and bench.observable
            made = await _from_library(bench, view, sandbox, entropy) if watched else None
        else:
            made = vary(view, OPERATORS[operator], entropy, work.operation.site)
        if made is not None:
            return _tidy(bench, path, view, _once_more(view, made, entropy) or made)
    return None


async def _repaired(bench: ProgramBench, parent: ProgramTraits, repair: Repair, work: Work, sandbox: Sandbox) -> Answer:
    """One edit of a parent that fails at some inputs, where these go rather than the others; never back to the start.

    Raises:
        HandlerFailed: no operator finds anything to change.
    """
    path = bench.task.main if bench.task.main in bench.task.editable else bench.task.editable[0]
    view = view_of(bench, parent, path)
    limits = CALMLY if bench.counted else LOOKING
    view = replace(view, heat=await suspected(bench, view, repair.failing, sandbox, limits))
    made = mended(
        view,
        work.operation.operator or "",
        work.entropy,
        avoiding=_prints([ProgramTraits(files=bench.task.files)], path),
    )
    if made is None:
        raise HandlerFailed("nothing_to_vary", f"no operator finds anything to repair in {path}")
    return _answer(parent, path, made, bench.used(sandbox), repairs=parent.repairs + 1)


def _tidy(bench: Workbench, path: str, view: View, made: Variation) -> Variation:
    """Without what edits have left behind that nobody needs; what the original has is the user's own."""
    original = parsed(bench.task.files[path], path)
    if tidied(original, view.roots) is not original:
        return made
    clean = tidied(made.code, view.roots)
    return made if fingerprint(clean) == fingerprint(view.code) else replace(made, code=clean)


def _in_turn(name: str, entropy: Entropy) -> list[str]:
    """The operator that was asked for, then the others, the weightier ones sooner."""
    first = [name] if name in OPERATORS or name == LIBRARY else []
    return [*first, *(each for each in in_turn(entropy.child("others")) if each != name)]


async def _from_library(bench: Workbench, view: View, sandbox: Sandbox, entropy: Entropy) -> Variation | None:
    edits = await OBSERVATIONS.edits(bench, view, sandbox)
    for edit in entropy.sample(edits, len(edits), "library"):
        made = view.code.edited(edit)
        if made is not None:
            return Variation(made, LIBRARY, "plain", edit.note)
    return None


async def library(work: Work, ports: Ports) -> Answer:
    """The step ``programs.library``: every use of the standard library that fits the original, outside a run."""
    bench, sandbox = BENCHES.of(work), ports.sandbox
    view = view_of(bench, ProgramTraits(files=bench.task.originals()), bench.task.main)
    found = [(edit, view.code.edited(edit)) for edit in await OBSERVATIONS.edits(bench, view, sandbox)]
    uses = tuple(LibraryUse(text=code.text, note=edit.note) for edit, code in found if code is not None)
    return Answer(findings=payload(LibraryUses(uses=uses)), usage=bench.used(sandbox))


def _once_more(view: View, made: Variation, entropy: Entropy) -> Variation | None:
    if entropy.unit("twice") >= _TWICE:
        return None
    name = drawn(entropy.child("which"))
    again = vary(
        View(made.code, view.roots, view.donors, packages=view.packages), OPERATORS[name], entropy.child("second")
    )
    if again is None:
        return None
    return Variation(again.code, made.operator, made.site, f"{made.note}; {again.note}")


def _answer(parent: ProgramTraits, path: str, made: Variation, usage: Usage, *, repairs: int = 0) -> Answer:
    files = {**parent.files, path: made.code.text}
    traits = ProgramTraits(files=files, operator=made.operator, note=made.note[:500], repairs=repairs)
    return Answer(
        traits=payload(traits),
        choices={"operator": made.operator, "site": made.site, "note": made.note[:500]},
        usage=usage,
    )


# The steps that measure: the original before a run; a program in the cascade, timing, duel, challenge and audit.


async def vet(work: Work, ports: Ports) -> Answer:
    """The step ``programs.vet``: whether the original, and its tests, can say what is right."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await vetted(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def size(work: Work, ports: Ports) -> Answer:
    """The step ``programs.size``: the sizes that the original bears."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await sized(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def clock(work: Work, ports: Ports) -> Answer:
    """The step ``programs.clock``: what the original takes."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await clocked(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def check(work: Work, ports: Ports) -> Answer:
    """The step ``programs.check``."""
    bench, files, sandbox = material(work, ports)
    examination = Examination(bench, sandbox, files, repairs=_may_be_repaired(bench, work))
    found = await examination.run()
    usage = Usage(opcodes=examination.opcodes) if bench.counted else bench.used(sandbox)
    return Answer(findings=payload(found), usage=usage)


def _may_be_repaired(bench: ProgramBench, work: Work) -> bool:
    """Whether it is worth looking: a repair is not repaired, a plug-in is not told what failed; of the others some."""
    traits = work.material.traits
    again = traits is not None and ProgramTraits.model_validate(traits.data).repairs
    return not again and bench.mutator is None and work.entropy.unit("repair") < REPAIRED


async def time(work: Work, ports: Ports) -> Answer:
    """The step ``programs.time``: a few samples, fewer where it is clearly worse."""
    bench, files, sandbox = material(work, ports)
    found = await Stopwatch(bench.track(sandbox)).timed(bench.program(files), bench.task.reference)
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def duel(work: Work, ports: Ports) -> Answer:
    """The step ``programs.duel``: on inputs that breeding knows anyway, side by side with the champion."""
    bench, files, sandbox = material(work, ports)
    found = await duelled(bench.track(sandbox), bench.champion(work), bench.program(files))
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def challenge(work: Work, ports: Ports) -> Answer:
    """The step ``programs.challenge``: exact agreement with the champion, and more speed, or a higher score."""
    bench, files, sandbox = material(work, ports)
    claim = Claim.of(work, bench.champion(work), bench.program(files), sandbox)
    report = await challenged(bench, claim)
    return Answer(verdict=report.verdict, usage=bench.used(sandbox))


async def audit(work: Work, ports: Ports) -> Answer:
    """The step ``programs.audit``."""
    bench, files, sandbox = material(work, ports)
    seed = Entropy(*work.operation.entropy, "audit").word() >> 1
    found = await audited(bench, bench.program(files), sandbox, seed)
    return Answer(findings=payload(found), usage=bench.used(sandbox))
