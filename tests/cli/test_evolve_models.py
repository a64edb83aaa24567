"""`mendel evolve --models` against a provider on the loopback: what stands in the log, and what comes of it."""

import json
import urllib.request
from contextlib import contextmanager

import pytest
from tests.support.model_server import started_server

pytestmark = pytest.mark.usefixtures("one_worker")

SORT = '''def sort(items: list[int]) -> list[int]:
    """In order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
'''
QUIETLY = ("--objective", "opcodes", "--order", "birth", "--no-best-of-n", "--task", "sorting_task.py")
TASK = "sizes = (2, 5, 9)\ntiming_size = 12\nheld_sizes = (15, 20)\n"
CANARY = "kanarie-77c1d0e2-9a4b-4f53-8d61-be20f3"

SETTINGS = """
[llm]
share = 0.5

[llm.providers.pea]
kind = "openai_compatible"
base_url = "{url}/v1"
api_key_env = "PEA_SOURCE"

[llm.routes.mutator]
provider = "pea"
model = "sweet"
retries = 0

[llm.overrides]
mutator = ["pea/bitter"]
"""


@pytest.fixture(autouse=True)
def sorting(alone, file_log, tmp_path, monkeypatch):
    (tmp_path / "sorting.py").write_text(SORT)
    (tmp_path / "sorting_task.py").write_text(TASK)
    monkeypatch.setenv("PEA_SOURCE", CANARY)


@contextmanager
def provider(tmp_path, brain):
    with started_server(brain, key=CANARY) as url:
        (tmp_path / "mendel.toml").write_text(SETTINGS.format(url=url))
        yield url


def evolve(mendel, *options, candidates=6, seed=3):
    done = mendel("evolve", "sorting.py:sort", *QUIETLY, "--candidates", candidates, "--seed", seed, "--json", *options)
    assert done.code in (0, 3), done.err + done.out
    return done


def events(mendel):
    return mendel("events", "latest", "--json").json["events"]


def of_type(found, name):
    return [each for each in found if each["type"] == name]


def asked(url):
    with urllib.request.urlopen(url + "/__seen") as response:
        return json.loads(response.read())


@pytest.mark.breeding
@pytest.mark.smoke
def test_a_model_joins_the_operators_and_every_answer_replays_without_it(mendel, tmp_path):
    with provider(tmp_path, "mender") as url:
        done = evolve(mendel, "--models", candidates=10)
        calls = asked(url)["count"]
    found = events(mendel)
    answered = of_type(found, "llm_call_telemetry")
    assert calls == len(answered) > 0
    assert all(each["payload"]["provider"]["provider"] == "pea" for each in answered)
    (row,) = done.json["calls"]
    assert (row["name"], row["route"], row["calls"], row["failed"]) == ("pea_sweet", "pea/sweet", calls, 0)
    assert row["tokens_in"] + row["tokens_out"] == done.json["cost"]["tokens"]
    operators = {each["payload"]["operation"]["operator"] for each in of_type(found, "operation.started")}
    assert {"model_diff", "model_replace", "model_rewrite"} & operators
    assert any(name and not name.startswith("model_") for name in operators)
    assert "uses pea/sweet: at worst" in done.err
    assert mendel("replay", "latest").code == 0
    assert mendel("log", "verify", "latest").code == 0


@pytest.mark.breeding
def test_garbage_costs_births_and_nothing_else_and_no_key_stands_anywhere(mendel, tmp_path):
    with provider(tmp_path, "garbage"):
        done = evolve(mendel, "--models")
    found = events(mendel)
    rejected = [each["payload"] for each in of_type(found, "operation.failed")]
    assert {each["error_code"] for each in rejected if each["step"] == "programs.ask"} <= {"patch_rejected"}
    assert of_type(found, "output_schema_rejected")
    assert of_type(found, "run.completed")
    mendel("log", "export", "latest", "--out", "run.mendel")
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path
    assert CANARY not in done.out + done.err


@pytest.mark.breeding
def test_nobody_there_is_told_and_the_operators_go_on(mendel, tmp_path):
    with provider(tmp_path, "echo") as url:
        pass
    evolve(mendel, "--models")
    failed = of_type(events(mendel), "provider_call_failed")
    assert url
    assert {each["payload"]["reason"] for each in failed} == {"connection"}


@pytest.mark.breeding
def test_a_run_may_choose_an_allowed_model_and_no_other(mendel, tmp_path):
    with provider(tmp_path, "echo") as url:
        evolve(mendel, "--models", "--route", "mutator=pea/bitter")
        assert {each["body"]["model"] for each in asked(url)["requests"] if "chat" in each["path"]} == {"bitter"}
        refused = mendel("evolve", "sorting.py:sort", *QUIETLY, "--models", "--route", "mutator=pea/sour")
        assert refused.code == 2
        assert "a run may not choose pea/sour for mutator; it may choose pea/bitter" in refused.err
        judge = mendel("evolve", "sorting.py:sort", "--models", "--route", "final_judge=pea/bitter")
        assert judge.code == 2
        assert "may not choose the model of final_judge: what breeds never chooses its judge" in judge.err


@pytest.mark.breeding
def test_a_run_that_its_cap_on_tokens_ended_says_so(mendel, tmp_path):
    with provider(tmp_path, "mender"):
        told = ("--models", "--max-tokens", 130_000, "--candidates", 200, "--seed", 3)
        done = mendel("evolve", "sorting.py:sort", *QUIETLY, *told)
    assert done.code in (0, 3), done.err + done.out
    assert "It ended because models may use at most 130,000 tokens (--max-tokens)" in done.out


@pytest.mark.breeding
def test_without_a_word_nobody_is_asked(mendel, tmp_path):
    with provider(tmp_path, "echo") as url:
        evolve(mendel, candidates=3)
        assert asked(url)["count"] == 0
