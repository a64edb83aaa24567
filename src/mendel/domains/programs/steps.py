"""The steps of programs, for varying and for measuring, and their common bench."""

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
"""Number of inputs on which blocks of a program are observed."""
CALM: Final = 60.0
CALMLY: Final = Limits(case_s=20.0, batch_s=120.0)
"""Generous limits for runs that must repeat exactly: a busy machine must not decide what is observed."""
_KEPT: Final = 512  # observations of this many programs, the oldest are dropped first
_MUTATOR: Final = (
    "a mutator is a coroutine function (async def) of a MutationRequest that returns a Mutation(text, note), both"
    " of them texts"
)
_TWICE: Final = 0.15
"""Share of variations with two edits at once, since some improvements need both."""


@dataclass
class ProgramBench(Workbench):
    """The bench of a run of programs."""

    task: ProgramTask

    @cached_property
    def mutator(self) -> Mutator | None:
        """The mutator that replaces the operators, if any; cached, because the lookup searches all packages."""
        return find_mutator(self.task.mutator) if self.task.mutator != OFFLINE else None

    def used(self, sandbox: Sandbox) -> Usage:
        """Return what a step has used so far; nothing by the clock if opcodes count."""
        return Usage() if self.counted else used(sandbox)

    def champion(self, work: Work) -> Program:
        """Return the program that a challenger is compared with."""
        files = champion_files(work)
        return self.program(files) if files is not None else self.original


BENCHES = Benches(task_of, ProgramBench)
material = BENCHES.material


def parents_of(work: Work, ports: Ports) -> tuple[ProgramBench, list[ProgramTraits], Sandbox]:
    """Return what a variation needs: the bench, the parents, and the sandbox.

    Raises:
        ValueError: the run has no task, or the step no sandbox.
    """
    parents = [ProgramTraits.model_validate(each.data) for each in work.material.parents]
    return BENCHES.of(work), parents, ports.sandbox


# Observations of programs at work, cached.


_Watched = tuple[str, str, int]


class Observations:
    """Observations of programs, by their text and the run's seed, which determines the inputs."""

    def __init__(self) -> None:
        self._edits: OrderedDict[_Watched, tuple[Edit, ...]] = OrderedDict()
        self._heat: OrderedDict[_Watched, dict[int, float]] = OrderedDict()

    async def edits(self, bench: Workbench, view: View, sandbox: Sandbox) -> tuple[Edit, ...]:
        """Return the uses of the library that behave like a block of the program."""
        key = (bench.task.entry, view.code.text, bench.seed)
        if key not in self._edits:
            small = bench.seen[: max(OBSERVED, len(bench.seen) // 2)]  # the smallest come first, and run quickly
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
        """Return how much of the running time each line takes, as relative weights."""
        key = (bench.task.entry, view.code.text, bench.seed)
        if key not in self._heat:
            inputs = [trial.args for trial in bench.seen[-2:]]  # the largest show where the time goes
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
"""The observations of this process."""


# The steps that vary: one edit of one parent, or two parents crossed.


async def vary_one(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.vary``: one edit of one parent, sometimes two.

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
    """Vary the parents with a plug-in; only its syntax is checked here, since the result is examined like any other."""
    task = bench.task
    texts = tuple(parent.files[path] for parent in parents)
    request = MutationRequest(path, texts, task.roots[path], task.function, work.entropy.child("mutator"))
    try:
        mutation = await _asked(mutator, request, task.mutator)
    except HandlerFailed:
        raise
    # Broad on purpose: a plug-in is foreign code; whatever it raises is reported as its failure.
    except Exception as error:
        told = f'mutator "{task.mutator}" raised {type(error).__name__}: {error}'
        raise HandlerFailed("mutator_raised", told) from error
    try:
        code = parsed(mutation.text, path)
    except SourceNotPython as error:
        raise HandlerFailed("not_python", str(error)) from error
    return _answer(parents[0], path, Variation(code, task.mutator, "plain", mutation.note), Usage())


async def _asked(mutator: Mutator, request: MutationRequest, name: str) -> Mutation:
    """Return a mutator's answer; a plug-in is foreign code, so its types are checked."""
    awaited: object = mutator(request)
    if not isawaitable(awaited):
        raise HandlerFailed(
            "bad_mutator", f'mutator "{name}" is no coroutine function: called, it returns {_kind(awaited)}; {_MUTATOR}'
        )
    answer: object = await awaited
    if not isinstance(answer, Mutation):
        raise HandlerFailed("bad_mutation", f'mutator "{name}" returned {_kind(answer)}; {_MUTATOR}')
    held: tuple[object, object] = (answer.text, answer.note)
    if not all(isinstance(each, str) for each in held):
        kinds = f"text is {_kind(answer.text)} and note {_kind(answer.note)}"
        raise HandlerFailed("bad_mutation", f'mutator "{name}" returned a Mutation whose {kinds}; {_MUTATOR}')
    return answer


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


async def cross_two(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.cross``: a piece of the second parent in the first; without a suitable one, an edit."""
    bench, parents, sandbox = parents_of(work, ports)
    if bench.mutator is not None:
        path = work.entropy.pick(bench.task.editable, "file")
        return await _by_mutator(bench, bench.mutator, parents, path, work)
    first, second = parents
    differing = [path for path in bench.task.editable if first.files[path] != second.files[path]]
    path = work.entropy.pick(differing or bench.task.editable, "file")  # equal parents have nothing to exchange
    view = view_of(bench, first, path, [second])
    edit = crossover(view, parsed(second.files[path], path), work.entropy.child("cross"))
    made = view.code.edited(edit) if edit is not None else None  # None if the edit cannot be applied
    if edit is not None and made is not None and fingerprint(made) not in _prints(parents, path):  # no copy of a parent
        return _answer(first, path, Variation(made, CROSSOVER, "plain", edit.note), bench.used(sandbox))
    mutated = await _varied(bench, first, path, "", work, sandbox)
    if mutated is None:
        raise HandlerFailed("nothing_to_vary", f"no operator finds anything to change in {path}")
    return _answer(first, path, mutated, bench.used(sandbox))


def _prints(parents: Iterable[ProgramTraits], path: str) -> set[str]:
    return {fingerprint(parsed(parent.files[path], path)) for parent in parents}


def view_of(bench: Workbench, parent: ProgramTraits, path: str, others: Iterable[ProgramTraits] = ()) -> View:
    """Return the view of a parent's file for operators, with the original and ``others`` as donors."""
    texts = dict.fromkeys([bench.task.files[path], *(other.files[path] for other in others)])
    donors = tuple(parsed(text, path) for text in texts if text != parent.files[path])
    return View(parsed(parent.files[path], path), bench.task.roots[path], donors, packages=bench.task.packages)


async def _varied(
    bench: Workbench, parent: ProgramTraits, path: str, name: str, work: Work, sandbox: Sandbox
) -> Variation | None:
    view = view_of(bench, parent, path)
    if path == bench.task.main and bench.observable:  # only the function in the main file can be called
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
    """Edit a parent once, where the inputs run on which it fails and the others do not; never back to the original.

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
        avoiding=_prints([ProgramTraits(files=bench.task.files)], path),  # restoring the original is no progress
    )
    if made is None:
        raise HandlerFailed("nothing_to_vary", f"no operator finds anything to repair in {path}")
    return _answer(parent, path, made, bench.used(sandbox), repairs=parent.repairs + 1)


def _tidy(bench: Workbench, path: str, view: View, made: Variation) -> Variation:
    """Remove leftovers of edits, unless the original itself contains such code, which is then the user's own."""
    original = parsed(bench.task.files[path], path)
    if tidied(original, view.roots) is not original:
        return made
    clean = tidied(made.code, view.roots)
    # Tidying must not turn the edit back into its parent.
    return made if fingerprint(clean) == fingerprint(view.code) else replace(made, code=clean)


def _in_turn(name: str, entropy: Entropy) -> list[str]:
    """Return the requested operator, then the others, those with greater weights earlier."""
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
    """Run the step ``programs.library`` outside a run: all uses of the standard library that fit the original."""
    bench, sandbox = BENCHES.of(work), ports.sandbox
    view = view_of(bench, ProgramTraits(files=bench.task.originals()), bench.task.main)
    found = [(edit, view.code.edited(edit)) for edit in await OBSERVATIONS.edits(bench, view, sandbox)]
    uses = tuple(LibraryUse(text=code.text, note=edit.note) for edit, code in found if code is not None)
    return Answer(findings=payload(LibraryUses(uses=uses)), usage=bench.used(sandbox))


def _once_more(view: View, made: Variation, entropy: Entropy) -> Variation | None:
    if entropy.unit("twice") >= _TWICE:  # most variations stay a single edit
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
    """Run the step ``programs.vet``: whether the original and its tests can decide what is right."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await vetted(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def size(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.size``: the input sizes that the original can handle."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await sized(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def clock(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.clock``: the original's time."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await clocked(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def check(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.check``: the examination of a program before timing."""
    bench, files, sandbox = material(work, ports)
    examination = Examination(bench, sandbox, files, repairs=_may_be_repaired(bench, work))
    found = await examination.run()
    usage = Usage(opcodes=examination.opcodes) if bench.counted else bench.used(sandbox)  # no clock if runs must repeat
    return Answer(findings=payload(found), usage=usage)


def _may_be_repaired(bench: ProgramBench, work: Work) -> bool:
    """Whether to consider a repair: for a share of candidates, but not for repairs, nor with a plug-in's mutator."""
    traits = work.material.traits
    again = traits is not None and ProgramTraits.model_validate(traits.data).repairs
    return not again and bench.mutator is None and work.entropy.unit("repair") < REPAIRED


async def time(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.time``: a few samples, fewer if the program is clearly worse."""
    bench, files, sandbox = material(work, ports)
    found = await Stopwatch(bench.track(sandbox)).timed(bench.program(files), bench.task.reference)
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def duel(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.duel``: side by side with the champion, on inputs that breeding sees anyway."""
    bench, files, sandbox = material(work, ports)
    found = await duelled(bench.track(sandbox), bench.champion(work), bench.program(files))
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def challenge(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.challenge``: exact agreement with the champion, and more speed or a higher score."""
    bench, files, sandbox = material(work, ports)
    claim = Claim.of(work, bench.champion(work), bench.program(files), sandbox)
    report = await challenged(bench, claim)
    return Answer(verdict=report.verdict, usage=bench.used(sandbox))


async def audit(work: Work, ports: Ports) -> Answer:
    """Run the step ``programs.audit``: a comparison with the original on inputs that nothing used before."""
    bench, files, sandbox = material(work, ports)
    seed = Entropy(*work.operation.entropy, "audit").word() >> 1
    found = await audited(bench, bench.program(files), sandbox, seed)
    return Answer(findings=payload(found), usage=bench.used(sandbox))
