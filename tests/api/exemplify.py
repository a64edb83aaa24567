"""Asks a real server for the examples of the OpenAPI document: `python -m tests.api.exemplify`, a minute or two.

Answers are shortened: of long lists and texts the beginning stays. What would name this machine is left out.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.api.reading import observatory
from tests.api.served import Server, serving, wait_until
from tests.kernel.test_models import Wire
from tests.kernel.test_models import bred as bred_with_models

from mendel.api import examples

FOLDER = Path(examples.__file__).parent
SORT = (Path(__file__).parents[2] / "examples" / "bad_sort.py").read_text()
UNFIT = f"import nowhere\n\n\n{SORT}"
LAUNCH = {
    "domain": "programs",
    "rng_seed": 7,
    "caps": {"max_cost_microusd": 1_000_000},
    "inputs": {"source": SORT, "function": "sort", "seconds": 20},
}
LONG = {**LAUNCH, "inputs": {"source": SORT, "function": "sort", "seconds": 300}}
SLOTS = {"slots": 2}
PROPOSAL = {"content": {"values": [0.25, -0.5, 0.75]}}


def _another(seed: int) -> dict[str, Any]:
    """A run of another function: one niche is claimed by one run at a time."""
    given: dict[str, Any] = {"source": f"{SORT}\n# {seed}\n", "function": "sort", "seconds": 300}
    return {**LONG, "rng_seed": seed, "inputs": given}


REASON = {"reason": "it has found enough"}
MOST_ITEMS, MOST_TEXT, WIDTH = 2, 240, 110
TABLES = ("runs", "candidates", "verdicts")
SETTINGS = ("log.backend", "kernel.max_runs", "serve.port", "serve.read_token")


def shortened(value: Any, most: int = MOST_ITEMS) -> Any:
    """The beginning of it; of what lies deeper one of each, but pairs of values stay whole."""
    if isinstance(value, dict):
        return {key: shortened(each, most) for key, each in value.items()}
    if isinstance(value, list):
        nested = any(isinstance(each, dict | list) for each in value)
        return [shortened(each, 1) for each in value[: most if nested else MOST_ITEMS]]
    return f"{value[:MOST_TEXT]}…" if isinstance(value, str) and len(value) > MOST_TEXT else value


def gist(candidate: dict[str, Any] | None) -> dict[str, Any] | None:
    """A candidate without its evidence, which it has where it is asked for itself."""
    if candidate is None:
        return None
    own = {**candidate, "explanation": without_lists(candidate["explanation"])}
    return without_lists(own)


def without_lists(told: dict[str, Any]) -> dict[str, Any]:
    return {name: [] if isinstance(each, list) else each for name, each in told.items()}


def lines(text: str, most: int) -> str:
    """The first lines of a text, each no longer than fits."""
    return "\n".join(line[:MOST_TEXT] for line in text.splitlines()[:most]) + "\n"


class Asked:
    """What a server answered, by the name of the operation, or by the code of a refusal."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.answers: dict[str, Any] = {}
        self.problems: dict[str, Any] = {}

    def get(self, name: str, path: str) -> Any:
        answer = self.server.get(path)
        assert answer.status_code == 200, answer.text
        return self.keep(name, answer.json())

    def post(self, name: str, path: str, body: object = None) -> Any:
        answer = self.server.post(path, body)
        assert answer.status_code < 300, answer.text
        return self.keep(name, answer.json())

    def keep(self, name: str, answer: Any) -> Any:
        self.answers[name] = shortened(answer)
        return answer

    def refused(self, method: str, path: str, **options: Any) -> None:
        headers = {"Idempotency-Key": f"key-{len(self.problems)}", **options.pop("headers", {})}
        problem = self.server.client.request(method, path, headers=headers, **options).json()
        told = {name: problem[name] for name in ("status", "instance", "detail", "fields") if problem[name] != []}
        self.problems[problem["code"]] = told


def of_a_run(asked: Asked, run_id: str) -> None:
    run = f"/api/runs/{run_id}"
    asked.get("list_runs", "/api/runs?limit=1")
    asked.get("get_run", run)
    history = asked.get("get_history", f"{run}/history")
    tables = {name: shortened(history["tables"][name]) for name in TABLES}
    asked.answers["get_history"] = {**history, "tables": tables}
    asked.get("list_events", f"{run}/events?limit=2")
    for name in ("lineage", "replay", "health"):
        asked.get(f"get_{name}", f"{run}/{name}")
    found = asked.get("list_candidates", f"{run}/candidates?limit=2&sort=fitness")["candidates"]
    asked.get("get_candidate", f"{run}/candidates/{found[0]['candidate_id']}")
    proof = asked.get("get_final_proof", f"{run}/final")
    asked.keep("get_final_proof", {**proof, "winner": gist(proof["winner"]), "founder": gist(proof["founder"])})
    asked.answers["stream_run"] = lines(asked.server.get(f"{run}/stream?since=0").text, 4) + "\n"
    asked.answers["export_run"] = lines(asked.server.get(f"{run}/export").text, 3)
    asked.get("list_reports", "/api/guard/reports?limit=1")
    asked.get("get_report", f"/api/guard/reports/{asked.answers['list_reports']['reports'][0]['id']}")


def of_the_installation(asked: Asked) -> None:
    asked.get("get_caps", "/api/config/caps")
    asked.answers["list_domains"] = asked.get("list_domains", "/api/domains")[:1]
    asked.get("get_model_routes", "/api/model-routes")
    asked.keep("get_spend", asyncio.run(spend()))
    asked.get("list_plugins", "/api/plugins")
    settings = asked.get("get_settings", "/api/settings")["settings"]
    asked.answers["get_settings"] = {"settings": [each for each in settings if each["key"] in SETTINGS]}
    asked.post("probe", "/api/doctor")
    asked.get("get_doctor", "/api/doctor")
    asked.get("healthz", "/healthz")
    asked.get("readyz", "/readyz")
    asked.answers["metrics"] = lines(asked.server.get("/metrics").text, 9)


async def spend() -> Any:
    """Of a run that has asked models, which the server above does not."""
    stage, _, _ = await bred_with_models(Wire(lambda _number: '{"by": 0.5}'))
    async with observatory(stage.log) as other:
        return await other.get("/api/models/spend")


def of_files(asked: Asked, run_id: str) -> None:
    exported = asked.server.get(f"/api/runs/{run_id}/export").content
    headers = {"Idempotency-Key": "open", "Content-Type": "application/x-ndjson"}
    asked.keep("open_file", asked.server.client.post("/api/files", content=exported, headers=headers).json())
    asked.get("list_files", "/api/files")
    headers = {"Content-Type": "application/x-ndjson"}
    asked.refused("POST", "/api/files", content=exported.replace(b"sort", b"sart", 1), headers=headers)
    asked.refused("DELETE", "/api/files/0123456789abcdef")


def of_commands(asked: Asked) -> None:
    """One run is conducted at a time, so that those after it wait."""
    going = asked.post("launch_run", "/api/runs", LONG)["run_id"]
    asked.server.until(going, "running", scored=1)
    asked.refused("POST", "/api/runs", json={**LONG, "rng_seed": 8})
    waiting = asked.server.launch(_another(8))
    asked.post("cancel_run", f"/api/runs/{waiting}/cancel", REASON)
    asked.refused("POST", f"/api/runs/{going}/cancel")
    subprocess.run(["kill", "-INT", *map(str, asked.server.conductors())], check=True)
    wait_until(lambda: asked.server.run(going)["conducted"] != "here", "the conductor's death")
    asked.post("resume_run", f"/api/runs/{going}/resume")
    asked.post("set_parameters", f"/api/runs/{going}/parameters", SLOTS)
    wait_until(lambda: asked.server.get(f"/api/runs/{going}/parameters").json()["slots"] == 2, "the parameters")
    asked.get("get_parameters", f"/api/runs/{going}/parameters")
    asked.post("stop_run", f"/api/runs/{going}/stop", REASON)
    asked.server.until(going, "stopped")
    last = asked.server.launch(_another(9))
    asked.server.until(last, "running", scored=1)
    asked.post("kill_run", f"/api/runs/{last}/kill", REASON)


def of_refusals(asked: Asked, run_id: str) -> None:
    nobody = "/api/runs/01980000-0000-7000-8000-000000000000"
    asked.refused("GET", "/api/runs", headers={"Host": "lab.example"})
    asked.refused("GET", "/api/runs?stauts=running")
    asked.refused("GET", "/api/runs?cursor=01980000-0000-7000-8000-000000000000")
    asked.refused("GET", nobody)
    asked.refused("GET", f"/api/runs/{run_id}/candidates/candidate-7000")
    asked.refused("GET", f"/api/runs/{run_id}/stream", headers={"Last-Event-ID": "x"})
    asked.refused("GET", "/api/guard/reports/nothing")
    asked.refused("POST", f"/api/runs/{run_id}/stop")
    asked.refused("POST", f"/api/runs/{run_id}/stop", headers={"Origin": "https://evil.example"})
    asked.refused("POST", f"/api/runs/{run_id}/stop", headers={"Idempotency-Key": ""})
    asked.refused("POST", "/api/runs", content=b"x", headers={"Content-Type": "text/plain"})
    asked.refused("POST", "/api/runs", content=b'"\xff"', headers={"Content-Type": "application/json"})
    asked.refused("POST", "/api/runs", content=b"x" * (1 << 21), headers={"Content-Type": "application/json"})
    asked.refused("POST", "/api/runs", json={**LAUNCH, "caps": {"max_population": 2**50}})
    asked.refused("POST", "/api/runs", json={"domain": "nobody"})
    asked.refused("POST", "/api/runs", json={**LAUNCH, "problem": "sort\0"})
    asked.refused("POST", "/api/runs", json={"domain": "reference", "config": {"founders": 2**70}})
    for inputs in (
        {"source": SORT},
        {"function": "sart"},
        {"source": "def f(:"},
        {"source": "def sort(x): return x\n"},
    ):
        given = inputs if inputs == {"source": SORT} else {"source": SORT, "function": "sort", **inputs}
        asked.refused("POST", "/api/runs", json={"domain": "programs", "inputs": given})
    asked.refused("POST", "/api/runs", json={**LONG, "rng_seed": 10}, headers={"Idempotency-Key": "exemplary"})


def anonymous(told: str, folder: Path) -> str:
    """Without what names this machine."""
    told = told.replace(f"{folder}/", "").replace(str(folder), ".").replace(sys.prefix, "/usr")
    told = told.replace(socket.gethostname(), "lab")
    return re.sub(r"lab:\d+", "lab:4711", told)


def laid_out(value: Any, margin: str = "") -> str:
    """As JSON, with what fits into a line in one."""
    whole = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if len(margin) + len(whole) <= WIDTH or not isinstance(value, dict | list):
        return whole
    inner = f"{margin}  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + laid_out(each, inner) for each in value) + f"\n{margin}]"
    named = (f"{inner}{json.dumps(name)}: {laid_out(value[name], inner)}" for name in sorted(value))
    return "{\n" + ",\n".join(named) + f"\n{margin}}}"


def written(name: str, found: Any, folder: Path) -> None:
    (FOLDER / f"{name}.json").write_text(anonymous(laid_out(found), folder) + "\n")


def exemplify(folder: Path) -> None:
    settings = {"MENDEL_HOME": ".mendel", "MENDEL_KERNEL__MAX_RUNS": "1"}
    with serving(folder, **settings) as server:
        asked = Asked(server)
        run_id = server.launch(LAUNCH, "exemplary")
        server.until(run_id, "completed", "stopped")
        of_a_run(asked, run_id)
        of_the_installation(asked)
        of_files(asked, run_id)
        asked.keep("estimate_run", server.client.post("/api/runs/estimate", json=LAUNCH).json())
        of_commands(asked)
        of_refusals(asked, run_id)
    commands = {
        **dict.fromkeys(("stop_run", "kill_run", "cancel_run"), REASON),
        "propose": PROPOSAL,
        "set_parameters": SLOTS,
    }
    requests = {"launch_run": LAUNCH, "estimate_run": LAUNCH, **commands, "open_file": asked.answers["export_run"]}
    written("requests", requests, folder)
    for name, answer in asked.answers.items():
        written(f"answers/{name}", answer, folder)
    written("problems", {**examples.examples("problems"), **asked.problems}, folder)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="mendel-examples-") as place:
        exemplify(Path(place))
