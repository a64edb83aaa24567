"""`mendel mutate --models` and `mendel step --models`: models asked as `mendel evolve` asks them, live and offline."""

import json
import urllib.request

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
SETTINGS = """
[evolve.task]
objective = "opcodes"
sizes = [2, 5, 9]
timing_size = 12
held_sizes = [15, 20]

[llm.providers.pea]
kind = "openai_compatible"
base_url = "{url}/v1"

[llm.routes.mutator]
provider = "pea"
model = "sweet"
retries = 0

[llm.prices."pea/sweet"]
input = 1.0
output = 2.0

[llm.overrides]
mutator = ["pea/bitter"]
"""
OFFLINE = ("--models", "--route", "mutator=offline/programs.mutator")


@pytest.fixture(autouse=True)
def sorting(alone, file_log, tmp_path):
    (tmp_path / "sorting.py").write_text(SORT)
    (tmp_path / "mendel.toml").write_text(SETTINGS.format(url="http://127.0.0.1:9"))


@pytest.fixture
def provider(tmp_path):
    """The mender, its key never asked for; the fixture's value is what it was asked so far."""
    with started_server("mender") as url:
        (tmp_path / "mendel.toml").write_text(SETTINGS.format(url=url))

        def seen():
            with urllib.request.urlopen(url + "/__seen") as response:
                return json.loads(response.read())

        yield seen


def test_a_model_varies_the_function_and_what_it_cost_is_told(mendel, provider):
    done = mendel("mutate", "sorting.py:sort", "--models", "--operator", "model_diff", "--seed", "3", "--json")
    assert done.code == 0, done.err
    (made,) = done.json["variations"]
    assert (made["operator"], made["route"]) == ("model_diff", "pea/sweet")
    assert made["patch"].startswith("diff --git a/sorting.py b/sorting.py\n")
    compile(made["source"], "sorting.py", "exec")
    assert made["tokens_in"] > 0
    assert made["cost_microusd"] == made["tokens_in"] + 2 * made["tokens_out"]
    asked = done.json["asked"]
    assert (asked["questions"], asked["calls"], asked["failed"]) == (1, provider()["count"], [])
    assert asked["cost_microusd"] == made["cost_microusd"]
    assert "uses pea/sweet: at worst 2 calls" in done.err
    prompt = "\n".join(each["content"] for each in provider()["requests"][0]["body"]["messages"])
    assert SORT.strip() in prompt
    assert "what is right, number 1" in prompt


def test_nobody_there_is_an_error_and_costs_nothing(mendel):
    done = mendel("mutate", "sorting.py:sort", "--models", "--seed", "3")
    assert done.code == 1
    assert done.out == ""
    assert "mutator: pea/sweet did not answer (connection)" in done.err
    assert "asked pea/sweet: 1 call, 0 tokens in, 0 out, $0.00" in done.err


def test_offline_the_same_question_has_the_same_answer_and_needs_nobody(mendel, tmp_path):
    (tmp_path / "mendel.toml").write_text(SETTINGS.partition("[llm")[0])
    first, again = [mendel("mutate", "sorting.py:sort", *OFFLINE, "--count", 3, "--seed", 5) for _ in range(2)]
    assert first.code == 0, first.err
    assert first.out == again.out
    assert {line.split(" ")[0] for line in first.out.splitlines() if line.startswith("model_")} <= {
        "model_diff",
        "model_replace",
        "model_rewrite",
    }
    assert "asked offline/programs.mutator: 3 calls, 0 tokens in, 0 out, $0.00" in first.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--models", "--route", "mutator=pea/sour"), "may not choose pea/sour for mutator; it may choose pea/bitter"),
        (("--models", "--route", "final_judge=pea/bitter"), "may not choose the model of final_judge: what breeds"),
        (("--route", "mutator=pea/bitter"), "--route chooses among models, but no model is used; add --models"),
        (("--models", "--operator", "statement_swap"), "--operator statement_swap: this operator uses none"),
        (("--offline", "--operator", "model_diff"), "--offline and --operator model_diff: this operator uses a model"),
        (("--models", "--site", "loop"), "a model chooses its own places and takes no --site"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_anybody_is_asked(mendel, options, said):
    done = mendel("mutate", "sorting.py:sort", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_step_begins_a_run_that_asks_models(mendel):
    done = mendel("step", "sorting.py:sort", *OFFLINE, "--population", 3, "--seed", 3, "--json")
    assert done.code == 0, done.err
    (run,) = done.json["runs"]
    assert run["models"]["routes"]["mutator"] == ["offline/programs.mutator"]
    assert (run["models"]["tokens"], run["models"]["cost_microusd"]) == (0, 0)
    assert "uses offline/programs.mutator: at worst" in done.err
    idle = mendel("step", "latest", "--offline")
    assert idle.code == 2
    assert "--offline: only for FILE:FUNC; a resumed run keeps its configuration" in idle.err


@pytest.mark.breeding
def test_offline_a_run_is_recorded_and_replays_and_its_comparison_asks_no_models(mendel):
    searching = ("--candidates", 10, "--order", "birth", "--seed", 1)
    done = mendel("evolve", "sorting.py:sort", *OFFLINE, *searching, "--json")
    assert done.code in (0, 3), done.err
    beside = done.json["best_of_n"]
    answers, others = [
        mendel("events", run, "--type", "llm_call_telemetry", "--json").json["events"]
        for run in (done.json["run_id"], beside["run_id"])
    ]
    assert {each["payload"]["provider"]["model_id"] for each in answers} == {"programs.mutator"}
    assert "accepted" in {each["payload"]["validation"] for each in answers}
    assert (others, beside["asked_models"]) == ([], False)
    assert mendel("replay", done.json["run_id"]).code == 0


# --- who plays what offline ---------------------------------------------------------------------------------------


def test_the_list_says_which_roles_are_played_offline_and_which_are_not(mendel, tmp_path):
    (tmp_path / "mendel.toml").write_text('[llm.providers.offline]\n[llm]\nprofile = "live"\n')
    told = mendel("models", "list", "--json").json
    assert (told["offline"]["mutator"], told["offline"]["critic"]) == (["offline/programs.mutator"], [])
    played = {each["role"]: each.get("sources") for each in told["roles"] if each["played"]}
    assert [each["route"] for each in played.pop("mutator")] == ["offline/programs.mutator"]
    assert {"critic", "final_judge", "repairer"}.isdisjoint(played)
    said = mendel("models", "list").err
    assert "mutator by offline/programs.mutator; roles without an offline route: population_generator" in said
    assert mendel("models", "check").code == 3


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[llm.routes.critic]\nprovider = 'offline'\n", "offline has no default model for critic"),
        (
            "[llm.routes.critic]\nprovider = 'offline'\nmodel = 'programs.mutator'\n",
            "offline/programs.mutator does not play critic; roles that are played offline: mutator by programs.mutator",
        ),
    ],
)
def test_offline_nobody_gets_a_role_that_he_cannot_play(mendel, tmp_path, table, said):
    (tmp_path / "mendel.toml").write_text(table)
    done = mendel("models", "cost")
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    "table",
    [
        "[llm.providers.offline]\nmodel = 'programs.mutator'\n",
        "[[llm.backends]]\nname = 'offline'\nmodel = 'programs.mutator'\n",
        "[llm.backend_weights]\noffline = 1\n",
    ],
    ids=["provider", "backend", "weight"],
)
def test_offline_it_is_a_source_like_any_other_for_what_it_plays(mendel, tmp_path, table):
    (tmp_path / "mendel.toml").write_text(table)
    told = mendel("models", "list", "--json").json["roles"]
    played = {each["role"]: each["sources"][0]["route"] for each in told if each["played"] and "sources" in each}
    assert played["mutator"] == "offline/programs.mutator"
    assert {"coder", "critic", "final_judge"}.isdisjoint(played)
