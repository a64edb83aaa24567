"""Every page of the observatory, with real data on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.browser.scenes import Scenes
from tests.browser.stage import Served

Place = Callable[[Scenes, Served], str]


def _half(scenes: Scenes, run_id: str) -> int:
    return len(scenes.events(run_id)) // 2


def _report(scenes: Scenes, served: Served) -> str:
    kept = scenes.guard_report["candidate_id"]
    listed = served.get("/api/guard/reports?source=report")["reports"]
    return f"/guard/{next(row['id'] for row in listed if row['candidate_id'] == kept)}"


def _verdict(scenes: Scenes, served: Served) -> str:
    listed = served.get("/api/guard/reports?source=run")["reports"]
    return f"/guard/{next(row['id'] for row in listed if row['run_id'] == scenes.programs)}"


def _candidate(scenes: Scenes, served: Served) -> str:
    return f"/runs/{scenes.programs}?candidate={scenes.figures(scenes.programs).final}"


PLACES: Mapping[str, Place] = {
    "runs": lambda scenes, served: "/",
    "launch": lambda scenes, served: "/launch",
    "run": lambda scenes, served: f"/runs/{scenes.finished}",
    "program run": lambda scenes, served: f"/runs/{scenes.programs}",
    "candidate": _candidate,
    "replay": lambda scenes, served: f"/runs/{scenes.finished}/replay?at={_half(scenes, scenes.finished)}",
    "final": lambda scenes, served: f"/runs/{scenes.programs}/final",
    "final without a winner": lambda scenes, served: f"/runs/{scenes.without_winner}/final",
    "compare": lambda scenes, served: f"/compare?runs={scenes.finished},{scenes.programs}",
    "guard": lambda scenes, served: "/guard",
    "report": _report,
    "verdict": _verdict,
    "models": lambda scenes, served: "/models",
    "settings": lambda scenes, served: "/settings",
    "open": lambda scenes, served: "/open",
}
