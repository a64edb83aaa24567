"""`mendel watch`: follow a run that another process conducts or has conducted."""

from __future__ import annotations

from contextlib import aclosing
from typing import Annotated

import typer

from mendel.cli.live import RunPicture, shown_live
from mendel.console.session import JsonFlag, RunArgument, Session, find_run, session_of
from mendel.contracts.errors import EXIT_DONE
from mendel.contracts.times import utc_now
from mendel.projections.health import HealthView, stalled

OnceFlag = Annotated[bool, typer.Option("--once", help="Show the present state and exit.")]


def watch(context: typer.Context, run: RunArgument, once: OnceFlag = False, json: JsonFlag = False) -> None:
    """Watch a run until it ends: operations in flight, fitness of the best candidate, and remaining budget.

    Only reads the log; Ctrl-C ends the watching, never the run. On a terminal the display is redrawn as events arrive;
    elsewhere a line is printed every two seconds. `--json` prints only the last view.
    """
    session = session_of(context)
    try:
        view = session.run(_watched(session, run, once=once, json=json))
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_DONE) from None
    if json and view is not None:
        session.answer(view)


async def _watched(session: Session, text: str, *, once: bool, json: bool) -> HealthView | None:
    picture = RunPicture()
    async with session.log() as log:
        run = await find_run(log, text)
        last = (await log.tip(run.run_id)).next - 1
        shown = {} if json or once else {run.run_id: picture}
        async with shown_live(session.out, shown), aclosing(log.follow(run.run_id)) as events:
            async for event in events:
                if event.sequence == last + 1:  # the first event that happens while we watch
                    picture.begins()
                picture.run.take(event)
                if event.sequence == last:
                    _warn_if_stalled(session, picture.health())
                if picture.over or (once and event.sequence >= last):
                    break
    if not json:
        session.out.print(picture.picture() if session.out.is_terminal else picture.line(), soft_wrap=True)
    return picture.health()


def _warn_if_stalled(session: Session, view: HealthView | None) -> None:
    if view is not None and stalled(view, utc_now()):
        since = f"{view.last_event_at:%Y-%m-%d %H:%M:%S}"
        session.announce(f"no conductor has been active since {since} UTC; `mendel resume {view.run_id}` continues it")
