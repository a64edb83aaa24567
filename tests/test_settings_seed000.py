"""The three configuration files of seed 000: a laptop, a farm, a cluster."""

import pytest

from mendel.bench.bounds import Bounds
from mendel.cli.main import _run
from mendel.contracts.errors import ConfigError
from mendel.domains.programs.front.settings import evolve_target, mutate_target
from mendel.settings import Settings, evolve_settings, load_settings

LAPTOP = """
# no engine, no server
[task_queue]
provider = "stub"

[mutate]
target_file = "examples/bad_sort.py"
entry_fn = "sort"

[evolve]
selector = "epsilon"
backend = "docker"
entry_fn = "sort"

[evolve.stop]
max_generations = 50
"""

FARM = """
[task_queue]
provider = "redis"
url = "redis://redis:6379/0"
idle_ms = 60000
max_retry = 3

[result_backend]
provider = "fs"
root = "/var/results"

[worker.defaults]
caps = "cpu,docker,llm"
warm_pool = 2
concurrency = 1

[llm.backend_weights]
openai = 2
groq = 1
"""

SEED_000_COUNTS = {"candidates", "evaluations", "generations"}
"""Those whose keys of seed 000 begin with max_."""

CLUSTER = """
[evolve]
backend = "gpu"

[[llm.backends]]
name = "openai"
model = "gpt-4o"
weight = 1
api_key_env = "OPENAI_API_KEY"
timeout_ms = 30000
"""

PASSWORD = "geheim-9f2"


@pytest.fixture
def load(tmp_path):
    def _load(text, environ=None, flags=None):
        (tmp_path / "mendel.toml").write_text(text, encoding="utf-8")
        return load_settings(directory=tmp_path, environ=environ or {}, flags=flags)

    return _load


def complaints(load, text, **kwargs):
    with pytest.raises(ConfigError) as caught:
        load(text, **kwargs)
    return str(caught.value).splitlines()


def lacks(loaded):
    return {each.key: str(each) for each in loaded.lacking}


def test_nothing_is_lacking_where_nothing_was_asked_for(load):
    loaded = load("")
    assert loaded.settings == Settings()
    assert loaded.lacking == ()


def test_the_laptop_says_what_is_evolved_and_when_it_stops(load):
    settings = load(LAPTOP).settings
    assert evolve_target(settings) == mutate_target(settings) == "examples/bad_sort.py:sort"
    assert settings.evolve.selector == "epsilon"
    assert settings.evolve.stop.max_generations == 50
    assert settings.evolve.stop.seconds is None


def test_the_laptop_lacks_an_engine_and_nothing_else(load):
    (lack,) = load(LAPTOP).lacking
    assert lack.refuses
    assert lack.key == "evolve.backend"
    for words in ("docker", "container engine", '"native"'):
        assert words in str(lack)


def test_the_farm_loads_with_every_value_and_says_what_is_not_there(load):
    loaded = load(FARM)
    settings = loaded.settings
    assert settings.task_queue.url.get_secret_value() == "redis://redis:6379/0"
    assert (settings.task_queue.idle_ms, settings.task_queue.max_retry) == (60_000, 3)
    assert str(settings.result_backend.root) == "/var/results"
    assert settings.worker.defaults.warm_pool == 2
    assert settings.llm.backend_weights == {"openai": 2.0, "groq": 1.0}
    said = lacks(loaded)
    assert list(said) == [
        "task_queue.provider",
        "result_backend.provider",
        "worker.defaults.caps",
        "llm.backend_weights",
    ]
    assert not any(each.refuses for each in loaded.lacking)
    for line, words in zip(said.values(), ("stub", "event log", "[fabric] workers", "llm.profile"), strict=True):
        assert words in line
        assert "\n" not in line


def test_the_cluster_loads_and_says_what_is_not_there(load):
    loaded = load(CLUSTER)
    (backend,) = loaded.settings.llm.backends
    assert (backend.name, backend.model, backend.weight, backend.timeout_ms) == ("openai", "gpt-4o", 1.0, 30_000)
    assert list(lacks(loaded)) == ["evolve.backend", "llm.backends"]
    assert "GPU" in lacks(loaded)["evolve.backend"]
    assert loaded.settings.secret_variables() == ("OPENAI_API_KEY",)


@pytest.mark.parametrize("text", [FARM, CLUSTER])
def test_models_are_not_lacking_once_they_may_be_asked(load, text):
    environ = {"MENDEL_LLM__PROFILE": "live"}
    assert [key for key in lacks(load(text, environ=environ)) if key.startswith("llm.")] == []
    assert list(lacks(load("", environ=environ))) == []


def test_all_three_in_one_file_are_valid_together(load):
    loaded = load(LAPTOP.replace('provider = "stub"', "").replace("[task_queue]", "") + FARM)
    assert loaded.settings.evolve.stop.max_generations == 50
    assert loaded.settings.task_queue.provider == "redis"


def test_every_bound_of_a_search_has_a_key_with_its_range(load):
    given = {"seconds": 7.0, "candidates": 50, "evaluations": 60, "generations": 3, "target": "4x", "budget": 900}
    assert set(given) == set(Bounds.model_fields)
    lines = [f"{'max_' * (name in SEED_000_COUNTS)}{name} = {value!r}" for name, value in given.items()]
    assert load("[evolve.stop]\n" + "\n".join(lines)).settings.evolve.bounds() == Bounds(**given)


# --- mistakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[task_queue]\nprovidr = 'stub'\n", 2, "task_queue.providr: unknown key; did you mean task_queue.provider?"),
        ("[task_queue]\nprovider = 'kafka'\n", 2, "task_queue.provider: expected 'stub' or 'redis', found 'kafka'"),
        ("[evolve.stop]\nmax_generation = 5\n", 2, "did you mean evolve.stop.max_generations?"),
        ("[evolve.stop]\nmax_generations = 0\n", 2, "evolve.stop.max_generations: expected greater than or equal to 1"),
        ("[evolve.stop]\nmax_generations = true\n", 2, "evolve.stop.max_generations: expected a number"),
        ("[evolve.stop]\nseconds = 0\n", 2, "evolve.stop.seconds: expected greater than or equal to 0.1"),
        ("[evolve.stop]\nzzzzzzzz = 0\n", 2, "known are evolve.stop.seconds, evolve.stop.max_candidates"),
        ("[evolve]\nstop = 3\n", 2, "evolve.stop: expected a table, found an integer"),
        ("[mutate]\nentry_fn = 'a b'\n", 2, "mutate.entry_fn: "),
        ("[mutate]\ntarget_file = ''\n", 2, "mutate.target_file: expected a path"),
        ("[worker]\ncaps = 'cpu'\n", 2, "worker.caps: unknown key; did you mean worker.defaults.caps?"),
        ("[worker.defaults]\ncaps = 'cpu,,gpu'\n", 2, "worker.defaults.caps: "),
        ("[worker.defaults]\nwarm_pool = -1\n", 2, "worker.defaults.warm_pool: "),
        ("[llm.backend_weights]\na = 1\nb = -1\n", 3, "llm.backend_weights.b: expected greater than or equal to 0"),
        (
            "[[llm.backends]]\nname = 'a'\n[[llm.backends]]\nname = 'b'\nwieght = 1\n",
            5,
            "did you mean llm.backends.weight?",
        ),
        ("[[llm.backends]]\nname = 'a'\n\n[[llm.backends]]\nmodel = 'm'\n", 4, "llm.backends.name: it is required"),
        ("[llm.backends]\nname = 'a'\n", 1, "llm.backends: "),
        ("[llm]\nbackend_wieghts = {}\n", 2, "did you mean llm.backend_weights?"),
        ("[tsak_queue]\nprovider = 'stub'\n", 1, "tsak_queue: unknown key; did you mean task_queue?"),
    ],
)
def test_a_mistake_is_named_with_its_line(load, tmp_path, text, line, said):
    found = complaints(load, text)
    assert any(each.startswith(f"{tmp_path / 'mendel.toml'}:{line}: ") and said in each for each in found), found


def test_a_key_in_the_wrong_place_is_not_shown(load):
    queue = f"[task_queue]\nurl = ['{PASSWORD}']\n"
    backend = f"[[llm.backends]]\nname = 'a'\napi_key = '{PASSWORD}'\ntimeout_ms = '{PASSWORD}'\n"
    found = "\n".join(complaints(load, queue + backend))
    assert PASSWORD not in found
    assert "llm.backends.timeout_ms" in found


def test_the_password_of_the_queue_is_masked_and_known_to_be_one(load):
    loaded = load(f"[task_queue]\nurl = 'redis://:{PASSWORD}@queue/0'\n")
    assert PASSWORD not in repr(loaded)
    assert {row.key: row.value for row in loaded.view()}["task_queue.url"] == "redis://:***@queue/0"
    assert loaded.settings.addresses() == (f"redis://:{PASSWORD}@queue/0",)


def test_tables_are_shown_on_one_line(load):
    shown = {row.key: row.value for row in load(FARM + CLUSTER).view()}
    assert shown["llm.backend_weights"] == "openai=2.0, groq=1.0"
    assert shown["llm.backends"].startswith("name=openai model=gpt-4o weight=1.0 api_key_env=OPENAI_API_KEY")


def test_the_environment_and_flags_reach_tables_within_tables(load):
    environ = {"MENDEL_EVOLVE__STOP__SECONDS": "9", "MENDEL_WORKER__DEFAULTS__CAPS": "cpu"}
    settings = load(LAPTOP, environ=environ, flags={"evolve.stop.max_generations": "7"}).settings
    assert (settings.evolve.stop.max_generations, settings.evolve.stop.seconds) == (7, 9.0)
    assert settings.worker.defaults.caps == "cpu"
    assert settings.evolve.backend == "docker"


def test_a_text_cannot_say_a_table(load):
    (line,) = complaints(load, "", flags={"llm.backends": "openai"})
    assert "can be set only in mendel.toml" in line
    (warning,) = load("", environ={"MENDEL_LLM__BACKENDS": "openai"}).warnings
    assert "is unknown and ignored" in warning


# --- what a silent command line means ------------------------------------------------------------------------


def test_half_a_target_is_told(load):
    for half, words in (("target_file = 'a.py'", "no entry_fn"), ("entry_fn = 'f'", "target_file is not; set")):
        with pytest.raises(ConfigError, match=words):
            evolve_target(load(f"[mutate]\n{half}\n").settings)
    assert evolve_target(Settings()) is None


def test_the_function_to_evolve_may_be_another_than_the_one_to_mutate(load):
    settings = load("[mutate]\ntarget_file = 'a.py'\nentry_fn = 'f'\n[evolve]\nentry_fn = 'C.g'\n").settings
    assert (mutate_target(settings), evolve_target(settings)) == ("a.py:f", "a.py:C.g")


def test_a_backend_that_is_not_there_refuses_and_offers_native(load):
    settings = load(LAPTOP).settings
    with pytest.raises(ConfigError, match=r'evolve\.backend = docker: a container engine .* use "native"'):
        evolve_settings(settings)
    with pytest.raises(ConfigError, match="--backend = gpu: GPU workers"):
        evolve_settings(settings, "gpu")
    with pytest.raises(ConfigError, match="known are native"):
        evolve_settings(settings, "natvie")
    assert evolve_settings(settings, "native").sandbox.backend == "native"


def test_without_a_word_the_sandbox_of_the_settings_is_used(load):
    settings = load("[sandbox]\nbackend = 'native'\nworkers = 3\n").settings
    assert evolve_settings(settings) is settings
    assert evolve_settings(settings, "native").sandbox.workers == 3


# --- at the command line -------------------------------------------------------------------------------------


@pytest.fixture
def mendel(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def mendel(*arguments):
        capsys.readouterr()
        code = _run(list(arguments))
        return code, capsys.readouterr().out

    return mendel


@pytest.mark.parametrize(("text", "lines"), [(LAPTOP, 1), (FARM, 4), (CLUSTER, 2), ("", 0)])
def test_validate_shows_what_is_not_there(mendel, tmp_path, text, lines):
    (tmp_path / "some.toml").write_text(text)
    code, out = mendel("config", "validate", "some.toml")
    first, *rest = out.splitlines()
    assert (code, first) == (0, "some.toml: valid")
    assert len(rest) == lines
    assert all("is not available; " in line for line in rest)


def test_validate_shows_it_to_machines(mendel, tmp_path):
    (tmp_path / "mendel.toml").write_text(LAPTOP)
    code, out = mendel("config", "validate", "--json")
    assert code == 0
    assert '"refuses": true' in out
    assert '"evolve.backend"' in out
