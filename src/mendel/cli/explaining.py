"""`mendel explain`: the history of a candidate, from the events of its run."""

from __future__ import annotations

from typing import Annotated

import orjson
import typer

from mendel.console.session import JsonFlag, RunArgument, Session, find_run, session_of, shown
from mendel.contracts.errors import RunNotFound
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.envelope import Event
from mendel.projections.explanation import Descent, Explanation, ExplanationFold, SelectionNote, Step
from mendel.projections.leaderboard import LeaderboardFold

_ANCESTORS_SHOWN = 12  # --json has all
_GIST = 120  # characters


def explain(
    context: typer.Context,
    run: RunArgument,
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="A candidate's id, part of it, or `best`.")],
    json: JsonFlag = False,
) -> None:
    """Explain a candidate: ancestors and why they were chosen, evidence, score, selection, and verdicts of the gate."""
    session = session_of(context)
    found = session.run(_explanation(session, run, candidate))
    if json:
        session.answer(found)
        return
    for title, lines in _chapters(found).items():
        if lines:
            session.out.print(f"[bold]{title}[/]")
            for line in lines:
                session.out.print(f"  {line}", soft_wrap=True)


async def _explanation(session: Session, run: str, text: str) -> Explanation:
    async with session.log() as log:
        overview = await find_run(log, run)
        with session.progress("reading"):
            events = [event async for event in log.read(overview.run_id)]  # read once, folded twice
    candidate_id = _candidate(events, overview.run_id, text)
    fold = ExplanationFold(candidate_id)
    for event in events:
        fold.take(event)
    explanation = fold.view()
    if explanation is None:
        raise RunNotFound(f"run {overview.run_id} has no candidate {candidate_id}")
    return explanation


def _candidate(events: list[Event], run_id: str, text: str) -> str:
    """Resolve ``text`` to a candidate's id; an exact match wins over a partial one."""
    created = [event.payload.candidate.id for event in events if isinstance(event.payload, CandidateCreated)]
    if text == "best":
        return _best(events, run_id)
    matches = [each for each in created if text == each] or [each for each in created if text in each]
    if len(matches) == 1:
        return matches[0]
    if matches:
        some = ", ".join(matches[:4])
        raise RunNotFound(f"{text!r} is part of {len(matches)} candidates ({some}); give a longer part")
    raise RunNotFound(f"run {run_id} has no candidate {text!r}; `mendel show {run_id}` shows its best one")


def _best(events: list[Event], run_id: str) -> str:
    board = LeaderboardFold(top=1)
    for event in events:
        board.take(event)
    view = board.view()
    if view is None or not view.standings:
        raise RunNotFound(f"run {run_id} has not scored any candidate yet")
    return view.standings[0].candidate_id


# --- text output -----------------------------------------------------------------------------------------


def _chapters(found: Explanation) -> dict[str, list[str]]:
    return {
        f"{found.candidate.id} is {found.status}": [shown(_gist(found.candidate.content.data))],
        "ancestry": _lineage(found),
        "evidence": [_step(step) for step in found.steps],
        "score": _score(found),
        "selection": [*_out(found), *(_selection(note) for note in found.selection)],
        "verdicts of the gate": _gate(found),
    }


def _lineage(found: Explanation) -> list[str]:
    line = [_descent(each) for each in (found.genome, *found.ancestors) if each is not None]
    more = len(line) - _ANCESTORS_SHOWN
    return [*line[:_ANCESTORS_SHOWN], *([f"… and {more} more ancestors (--json has them)"] if more > 0 else [])]


def _descent(each: Descent) -> str:
    if not each.parents:
        return f"{each.genome_id}: a founder"
    choices = f", which drew {shown(_gist(each.choices))}" if each.choices else ""
    why = f" (chosen by {shown(each.why)})" if each.why else ""
    return f"{each.genome_id}: {each.operator} of {', '.join(each.parents)}{why}{choices}"


def _step(step: Step) -> str:
    spent = f", energy {step.energy:,}" if step.energy else ""
    again = f", attempt {step.attempt}" if step.attempt > 1 else ""
    said = ""
    if step.error is not None:
        said = f": {shown(step.error.code)}: {shown(step.error.message)[:_GIST]}"
    elif step.findings is not None:
        said = f": {shown(_gist(step.findings.data))}"
    return f"{step.step} {step.outcome}{again}{spent}{said}"


def _score(found: Explanation) -> list[str]:
    if found.score is None:
        return []
    lines = [shown(found.score.explanation)]
    if found.score.absent:
        lines.append(f"absent: {', '.join(found.score.absent)}")
    if found.score.estimated:
        lines.append(f"estimated: {', '.join(found.score.estimated)}")
    return lines


def _out(found: Explanation) -> list[str]:
    lines = [f"repaired once: {shown(repair.reason)}" for repair in found.repairs]
    lines += [f"rejected, {reason.code}: {shown(reason.message)}" for reason in found.rejected]
    return lines + ([f"invalid: {shown(found.invalidated)}"] if found.invalidated else [])


def _selection(note: SelectionNote) -> str:
    children = f", child {', '.join(note.children)}" if note.children else ""
    return f"{note.type} at {note.sequence}{children}{f': {shown(note.reason)}' if note.reason else ''}"


def _gate(found: Explanation) -> list[str]:
    lines = []
    for note in found.verdicts:
        verdict = note.verdict
        reasons = "; ".join(f"{reason.code}: {reason.message}" for reason in verdict.reasons)
        spent = f"challenge {verdict.challenge.k}, which spent {verdict.challenge.alpha:.3g} of the error budget"
        lines.append(f"{verdict.decision} at {note.sequence} ({spent}): {shown(reasons)}")
    return lines + [f"adoption {note.outcome} at {note.sequence}" for note in found.adoptions]


def _gist(data: object) -> str:
    text = orjson.dumps(data).decode()
    return text if len(text) <= _GIST else text[: _GIST - 1] + "…"
