"""What ``benchmarks gateway`` rests on: every side asks the same, whoever does not answer well counts for nothing."""

import asyncio
import itertools
import json

import pytest
from benchmarks.gateway import alternate, overhead_ratio, rate_ratios, report, sdks_imported_by
from benchmarks.gateway_ours import asking, open_gateway
from benchmarks.gateway_sides import WAYS, Taken, sides_of
from benchmarks.peers.gateway_load import KEY, body_of, load
from tests.support.model_server import ModelServer


def taken(per_s: float = 100.0, p50_ms: float = 1.0) -> Taken:
    return Taken(100, 64, 100 / per_s, 0.1, 0.05, p50_ms / 1e3, p50_ms / 1e3)


def quiet(_step: str) -> None:
    pass


# --- the load ------------------------------------------------------------------------------------------------------


async def test_so_many_are_under_way_and_those_that_open_connections_are_not_counted():
    under_way, most, asked = 0, 0, []

    async def ask(number: int) -> bool:
        nonlocal under_way, most
        asked.append(number)
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return number % 2 == 0

    found = await load(ask, 40, 8, itertools.count())
    assert most == 8
    assert sorted(asked) == list(range(48)), "eight more than are counted, and no question twice"
    assert found["accepted"] == 20
    assert found["p50_s"] <= found["p95_s"] <= found["wall_s"]


async def test_our_gateway_asks_what_the_bare_round_trip_sends():
    async with ModelServer("schema", key=KEY) as server, open_gateway(f"{server.url}/v1") as gateway:
        assert await asking(gateway)(7)
        assert server.seen[-1].json() == json.loads(body_of(7))
        assert server.count == 1


async def test_an_answer_that_had_to_be_repaired_is_no_single_call():
    async with ModelServer("schema") as server, open_gateway(f"{server.url}/v1") as gateway:
        server.fail("missing_field", times=1)
        assert not await asking(gateway)(1)
        server.fail("missing_field", times=2)
        assert not await asking(gateway)(2)
        assert await asking(gateway)(3)


def test_sides_are_processes_that_ask_a_server_and_take_turns():
    with sides_of({}, quiet) as sides:
        samples = alternate(sides, ("ours", "httpx2"), 1, 12, 4, quiet)
        assert set(sides.versions) == {"ours", "httpx2"}
    assert [len(samples[name]) for name in ("ours", "httpx2")] == [1, 1]
    assert all(
        each.calls == 12 and each.per_s > 0 and each.cpu_ms > 0 for each in (*samples["ours"], *samples["httpx2"])
    )


# --- figures -------------------------------------------------------------------------------------------------------


def test_the_faster_way_of_a_package_counts():
    together = {
        "ours": [taken(90), taken(80)],
        "sdk_parse": [taken(50), taken(300)],
        "sdk_create": [taken(100), taken(260)],
    }
    assert rate_ratios(together, ("sdk_parse", "sdk_create")) == pytest.approx([0.9, 80 / 260])


def test_overhead_is_what_is_added_to_the_bare_round_trip():
    alone = {
        "ours": [taken(p50_ms=4)],
        "sdk_parse": [taken(p50_ms=9)],
        "sdk_create": [taken(p50_ms=3)],
        "httpx": [taken(p50_ms=2)],
        "httpx2": [taken(p50_ms=1)],
    }
    assert overhead_ratio(alone) == pytest.approx(1.5)


def test_the_report_has_every_figure_and_every_round():
    together = {name: [taken(100 + place), taken(200 + place)] for place, name in enumerate(WAYS)}
    alone = {
        name: [taken(p50_ms=place)] for place, name in enumerate(("httpx2", "httpx", "sdk_parse", "sdk_create", "ours"))
    }
    told = json.loads(report(together, alone, {"sizes": {}}).as_json())
    aims = {name: figure["aim"] for name, figure in told["figures"].items()}
    assert aims == {"to_sdk": ">= 0.8", "to_litellm": "> 1", "to_instructor": "> 1", "overhead_to_sdk": "<= 1.5"}
    assert told["figures"]["overhead_to_sdk"]["value"] == 2.0
    assert {name: len(rounds) for name, rounds in told["raw"]["together"].items()} == dict.fromkeys(WAYS, 2)
    assert told["raw"]["summary"]["calls_s"]["ours"] == 150


# --- what is imported ----------------------------------------------------------------------------------------------


def test_importing_mendel_imports_no_sdk_of_a_provider(tmp_path, monkeypatch):
    assert sdks_imported_by("mendel") == []
    (tmp_path / "litellm.py").write_text("")
    (tmp_path / "greedy.py").write_text("import litellm\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert sdks_imported_by("greedy") == ["litellm"]
