"""`mendel evolve FILE --run CMD`: programs in other languages, offline and by a model, through the gate."""

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest
from tests.support.model_server import started_server

from mendel.domains.texts.preparing import MOST_S
from mendel.domains.texts.wishes import CASE_S

pytestmark = pytest.mark.usefixtures("one_worker")

DOCS = Path(__file__).parents[2] / "docs"
THREE = "BEGIN { print 3 }\n"
RUN = ("--run", "awk -f three.awk", "--score", "cat", "--no-best-of-n", "--seed", 2, "--json")
CANARY = "kanarie-0d1c77e2-4b9a-4f53-8d61-be20f3"
SETTINGS = """
[llm.providers.pea]
kind = "openai_compatible"
base_url = "{url}/v1"
api_key_env = "PEA_SOURCE"

[llm.routes.mutator]
provider = "pea"
model = "sweet"
retries = 0
"""


@pytest.fixture(autouse=True)
def three(alone, file_log, tmp_path, monkeypatch):
    (tmp_path / "three.awk").write_text(THREE)
    monkeypatch.setenv("PEA_SOURCE", CANARY)


def events(mendel, kind):
    return [each["payload"] for each in mendel("events", "latest", "--json").json["events"] if each["type"] == kind]


def test_help_and_the_page_say_how_long_the_original_may_take(mendel):
    told = " ".join(mendel("evolve", "--help").out.replace("│", " ").split())
    assert f"a run of the original is stopped ({CASE_S:g}); its processor time may be {MOST_S:g} s at most" in told
    assert (MOST_S, CASE_S) == (5, 10)  # the page has these in words
    page = " ".join((DOCS / "programs.md").read_text().split())
    assert "may take at most five seconds of processor time, and ten seconds in all unless `--time-limit` says" in page


@pytest.mark.breeding
@pytest.mark.smoke
def test_lines_are_edited_offline_and_the_winner_leaves_a_patch_that_applies(mendel, tmp_path):
    subprocess.run(["git", "init", "-q"], check=True)
    done = mendel("evolve", "three.awk", *RUN, "--candidates", 80, "--target", 4)
    assert done.code == 0, done.err + done.out
    assert "no model is used: lines are deleted" in done.err
    told = done.json
    assert told["adopted"]
    assert told["winner"]["gate"]["mode"] == "absolute"
    assert "same answers" not in told["headline"]
    folder = Path(told["folder"])
    assert {each.name for each in folder.iterdir()} == {"winner.awk", "winner.patch", "report.html", "run.json"}
    subprocess.run(["git", "apply", folder / "winner.patch"], check=True)
    better = Path("three.awk").read_text()
    assert better == (folder / "winner.awk").read_text() != THREE
    assert mendel("replay", "latest").code == 0
    again = mendel("report", "latest", "--json")
    assert (again.code, again.json["winner"]["files"]) == (0, told["winner"]["files"])


@pytest.mark.breeding
def test_a_model_joins_and_what_it_answers_is_judged_like_anything_else(mendel, tmp_path):
    (tmp_path / "three.awk").write_text(f"# mendel: evolve\n{THREE}# mendel: end\n# kept\n")
    with started_server("tests.domains.texts.brain:Raises", key=CANARY) as url:
        (tmp_path / "mendel.toml").write_text(SETTINGS.format(url=url))
        done = mendel("evolve", "three.awk", *RUN, "--candidates", 40, "--target", 8, "--models")
        with urllib.request.urlopen(url + "/__seen") as response:
            asked = json.loads(response.read())["requests"]
    assert done.code == 0, done.err + done.out
    said = json.dumps([each["body"] for each in asked if "chat" in each["path"]])
    assert "It is run as `awk -f three.awk`" in said
    assert "prints what gets a higher score" in said
    assert CANARY not in said
    steps = {each["operation"]["step"] for each in events(mendel, "operation.started")}
    assert {"texts.ask", "texts.examine", "texts.challenge", "texts.audit"} <= steps
    assert any(each["operator"].startswith("model_") for each in done.json["lineage"] if each["operator"])
    assert "only what stands between `mendel: evolve` and `mendel: end` may change" in said
    assert done.json["winner"]["files"]["three.awk"].endswith("# mendel: end\n# kept\n")
    assert mendel("replay", "latest").code == 0
    assert mendel("log", "verify", "latest").code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("three.awk",), "'three.awk' does not read FILE:FUNC; say which function of it (Python), or how it is run"),
        (("three.awk", "other.awk"), "2 targets, and one function is improved at a time"),
        (("three.awk:main", "--run", "awk -f three.awk"), "names a function, and --run runs whole files"),
        (("--run", "awk -f three.awk"), "--run needs the files that may change"),
        (("three.awk", "--score", "cat"), "--score is for programs that a command runs; give it with --run CMD"),
        (("three.awk", "--run", "awk -f three.awk", "--tests", "t.py"), "--tests is for functions (FILE:FUNC)"),
        (("three.awk", "--run", "awk -f three.awk", "--archive", "speed"), "--archive is for functions (FILE:FUNC)"),
        (("none.awk", "--run", "awk -f none.awk"), "none.awk cannot be read"),
        (("three.awk", "--run", "false"), "`false` fails on the original with MENDEL_SEED="),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_name(mendel, arguments, told):
    done = mendel("evolve", *arguments)
    assert done.code == 2
    assert told in " ".join(done.err.split())
