"""`mendel guard …` where a side is a prompt, against a provider on the loopback and on the real sandbox."""

from __future__ import annotations

import json
import os
import re
import urllib.request

import pytest
from tests.cli.test_sandbox_commands import walls  # noqa: F401 - a fixture
from tests.support.model_server import started_server

CANARY = "kanarie-77d1f0aa-1c2b-4f5e-8e0a-6b1d4c"

TASK = """
from mendel.guard import Property, TaskSpec, generators

SPEC = TaskSpec(
    name="largest",
    gen_inputs=generators.arguments(generators.lists(generators.integers(-20, 20), max_size=6, min_size=1)),
    properties=[Property(check=lambda output, numbers: output >= max(numbers), description="none is larger")],
    valid=lambda numbers: bool(numbers),
)
"""
PROMPT = """
prompt = "Answer with the largest number of {numbers}."
role = "coder"
arguments = ["numbers"]
answer = "integer"
"""
SETTINGS = """
[llm]
profile = "live"

[llm.providers.pea]
kind = "openai_compatible"
base_url = "URL/v1"
api_key_env = "PEA_SOURCE"
model = "sweet"

[llm.prices."pea/sweet"]
input = 1.0
output = 1.0
"""


@pytest.fixture(scope="module")
def right():
    with started_server("tests.guard.prompt_brains:Follows", key=CANARY) as url:
        yield url


@pytest.fixture(scope="module")
def almost():
    with started_server("tests.guard.prompt_brains:AlmostFollows", key=CANARY) as url:
        yield url


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name == "OLLAMA_BASE_URL":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PEA_SOURCE", CANARY)
    (tmp_path / "tasks.py").write_text(TASK)
    (tmp_path / "max.py").write_text("def solve(numbers):\n    return max(numbers)\n")
    (tmp_path / "prompt.toml").write_text(PROMPT)


@pytest.fixture
def asked(mendel, tmp_path):
    """`mendel guard COMMAND` with a model at ``url``; whatever happens, the key is nowhere."""

    def asked(url, command, *arguments, settings=SETTINGS):
        (tmp_path / "mendel.toml").write_text(settings.replace("URL", url))
        result = mendel("guard", command, "--task", "tasks.py:SPEC", "--n", "60", *arguments)
        written = "".join(path.read_text() for path in tmp_path.glob("**/report_*"))
        assert CANARY not in result.out + result.err + written
        return result

    return asked


SIDES = ("--baseline", "max.py", "--candidate", "prompt.toml", "--policy", "noninferiority:margin=0.06")


def calls(url):
    with urllib.request.urlopen(f"{url}/__seen") as response:
        return json.loads(response.read())["count"]


def test_a_prompt_is_adopted_after_its_worst_case_was_shown(asked, right):
    result = asked(right, "evaluate", *SIDES, "--json")
    assert result.code == 0, result.err
    assert "asks pea/sweet: 60 questions, at worst 360 calls" in result.err
    assert "it stops at $5.00" in result.err
    assert re.search(r"used \d+ calls, [\d,]+ tokens and \$", result.err)
    model = result.json["summaries"]["candidate"]["model"]
    assert model["route"] == "pea/sweet"
    assert model["cost_microusd"] == model["tokens_in"] + model["tokens_out"]
    assert result.json["implementations"]["candidate"]["files"] == {"prompt.toml": PROMPT}


def test_a_wrong_prompt_is_rejected_and_its_report_seen_again_with_nobody_asked(asked, almost, mendel, tmp_path):
    result = asked(almost, "evaluate", *SIDES, "--report-dir", "reports")
    assert result.code == 1
    assert "[0, -1]" in result.out
    before = calls(almost)
    (report,) = (tmp_path / "reports").glob("report_*.json")
    (tmp_path / "mendel.toml").unlink()
    seen = mendel("guard", "replay", report)
    assert seen.code == 1
    assert seen.out.startswith("holds")
    assert "no model is called" in seen.err
    assert calls(almost) == before


def test_a_report_of_a_prompt_has_its_page(asked, almost, tmp_path):
    asked(almost, "evaluate", *SIDES, "--report-dir", "reports")
    (page,) = (tmp_path / "reports").glob("report_*.html")
    text = page.read_text()
    assert "Answer with the largest number" in text
    assert "pea/sweet" in text


def test_prompts_and_programs_are_compared(asked, right, tmp_path):
    (tmp_path / "least.py").write_text("def solve(numbers):\n    return min(numbers)\n")
    result = asked(right, "compare", "--baseline", "max.py", "--candidate", "prompt.toml", "--candidate", "least.py")
    assert result.code in (0, 3)
    assert "pea/sweet" in result.err


def test_what_it_may_cost_ends_it(asked, right):
    result = asked(right, "evaluate", *SIDES, "--max-cost", "0.008")
    assert result.code == 3
    assert "it stops at $0.008" in result.err
    assert "not_shown" in result.out
    assert "spent" in result.out


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", 'llm.profile is "offline"'),
        ('[llm]\nprofile = "live"\n', "no model is configured for it; set llm.routes.coder"),
        (SETTINGS.replace("PEA_SOURCE", "PEA_OTHER"), "set the environment variable PEA_OTHER"),
    ],
)
def test_where_nobody_can_be_asked_it_says_what_to_set(asked, right, settings, message):
    before = calls(right)
    result = asked(right, "evaluate", *SIDES, settings=settings)
    assert result.code == 2
    assert message in result.err
    assert calls(right) == before


def test_a_wrong_key_is_the_machinerys_failure(asked, right, monkeypatch):
    monkeypatch.setenv("PEA_SOURCE", "another")
    result = asked(right, "evaluate", *SIDES)
    assert result.code == 4
    assert "nothing is known about the prompt" in result.err


def test_a_file_that_is_no_prompt_is_a_usage_error(asked, right, tmp_path):
    (tmp_path / "prompt.toml").write_text("prompt = 3")
    result = asked(right, "evaluate", *SIDES)
    assert result.code == 2
    assert "prompt.toml: not a valid prompt file" in result.err
    (tmp_path / "prompt.toml").write_text('role = "final_judge"\nprompt = "Answer."')
    result = asked(right, "evaluate", *SIDES)
    assert "role: the role of a prompt is one of" in result.err
    assert "Value error" not in result.err


def test_time_of_a_prompt_is_refused(asked, right):
    result = asked(right, "evaluate", *SIDES, "--metric", "time")
    assert result.code == 2
    assert "remove that metric" in result.err
