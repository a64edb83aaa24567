"""``[embeddings]``, ``[retrieval]``, ``[research]`` and ``llm.templates``: what may be set, and what is told of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendel.contracts.errors import ConfigError
from mendel.domains.programs.front.settings import lookup_fields
from mendel.domains.programs.models import MODEL_SHARE, SAME_LOOKS, ProgramTask
from mendel.settings import Settings, load_settings, templates_of

SECRET = "geheim-51c7-40ff-9a3e"
ENDPOINT = "https://search.example/search"


@pytest.fixture
def load(tmp_path):
    def _load(text="", environ=None):
        (tmp_path / "mendel.toml").write_text(text, encoding="utf-8")
        return load_settings(directory=tmp_path, environ=environ or {})

    return _load


def test_nothing_is_looked_up_outside_unless_somebody_wants_it():
    settings = Settings()
    assert (settings.embeddings.backend, settings.embeddings.fallback) == ("ngrams", "ngrams")
    assert (settings.retrieval.backend, settings.research.tools, settings.llm.templates) == ("off", (), None)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[embeddings]\nnovelty = 1.5\n", 2, 'novelty: expected a number above 0 and at most 1, or "off", found 1.5'),
        ("[embeddings]\nnovelty = 'none'\n", 2, 'expected a number above 0 and at most 1, or "off"'),
        ("[embeddings]\nnovelty = true\n", 2, 'expected a number above 0 and at most 1, or "off"'),
        ("[embeddings]\nfallback = 'provider'\n", 2, "embeddings.fallback: expected an embedder without network, such"),
        ("[embeddings]\npatience_s = 0\n", 2, "embeddings.patience_s: expected greater than 0, found 0"),
        ("[embeddings]\nbackedn = 'ngrams'\n", 2, "unknown key; did you mean embeddings.backend?"),
        ("[retrieval]\nlimit = 51\n", 2, "retrieval.limit: expected less than or equal to 50, found 51"),
        ("[retrieval]\nendpoint = 'search.example'\n", 2, "retrieval.endpoint: expected http://HOST"),
        ("[retrieval]\ntimeout_s = 61\n", 2, "retrieval.timeout_s: expected less than or equal to 60, found 61"),
        ("[research]\ntools = ['web_serch']\n", 2, "research.tools: expected one of web_search, fetch_url, x_search"),
        ("[research]\ntools = ['web_serch']\n", 2, "(did you mean web_search?)"),
        ("[research.fetch_url]\nports = [0]\n", 2, "research.fetch_url.ports: expected greater than or equal to 1"),
        ("[research.fetch_url]\ntrusted = ['wiki']\n", 2, "research.fetch_url.trusted: expected numeric IP addresses"),
        ("[llm.routes.embedding]\ndimension = 0\n", 2, "dimension: expected greater than or equal to 1, found"),
        ("[llm.routes.critic]\ndimension = 3\n", 1, "only embedding has a dimension, not critic"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_is_allowed(load, tmp_path, text, line, said):
    with pytest.raises(ConfigError) as caught:
        load(text)
    found = str(caught.value).splitlines()
    assert any(each.startswith(f"{tmp_path / 'mendel.toml'}:{line}: ") and said in each for each in found), found


@given(st.floats(0, 1, allow_nan=False))
def test_every_similarity_is_a_threshold_in_a_file_and_as_a_text(number):
    for written in (number, repr(number)):
        assert Settings.model_validate({"embeddings": {"novelty": written}}).embeddings.novelty == number


@given(st.floats().filter(lambda number: not 0 <= number <= 1) | st.text().filter(lambda text: text != "off"))
def test_nothing_else_is(value):
    try:
        found = Settings.model_validate({"embeddings": {"novelty": value}}).embeddings.novelty
    except ValueError:
        return
    assert isinstance(value, str)
    assert 0 <= found <= 1


@pytest.mark.parametrize(
    "section", ["retrieval", "research.web_search", "research.x_search", "research.youtube_search"]
)
def test_a_key_is_named_and_never_written_or_shown(load, section):
    table = f"[{section}]\n"
    variable = "MENDEL_" + section.replace(".", "__").upper()
    wrong = [
        {"text": f"{table}api_key_env = '{SECRET}'\n"},
        {"text": f"{table}api_key = '{SECRET}'\n"},
        {"text": f"{table}endpoint = 'https://user:{SECRET}@search.example'\n"},
        {"text": f"{table}endpoint = 'https://search.example?key={SECRET}'\n"},
        {"environ": {f"{variable}__API_KEY_ENV": SECRET}},
        {"environ": {f"{variable}__ENDPOINT": f"https://user:{SECRET}@search.example"}},
    ]
    for each in wrong:
        with pytest.raises(ConfigError) as caught:
            load(**each)
        assert SECRET not in str(caught.value)
    loaded = load(f"{table}api_key_env = 'SEARCH_KEY'\n", environ={"SEARCH_KEY": SECRET})
    assert loaded.settings.secret_variables() == ("SEARCH_KEY",)
    assert SECRET not in str(loaded.view())


def test_all_of_it_can_be_said_by_the_environment(load):
    environ = {
        "MENDEL_EMBEDDINGS__NOVELTY": "off",
        "MENDEL_RETRIEVAL__BACKEND": "curated",
        "MENDEL_RESEARCH__TOOLS": "fetch_url, web_search",
        "MENDEL_RESEARCH__WEB_SEARCH__ENDPOINT": ENDPOINT,
        "MENDEL_RESEARCH__FETCH_URL__PORTS": "80,8080",
        "MENDEL_RESEARCH__FETCH_URL__TRUSTED": "10.0.0.7",
    }
    loaded = load(environ=environ)
    settings = loaded.settings
    assert (settings.embeddings.novelty, settings.retrieval.backend) == (0.0, "curated")
    assert settings.research.tools == ("fetch_url", "web_search")
    assert {name: each.endpoint for name, each in settings.research.searches().items()} == {"web_search": ENDPOINT}
    assert (settings.research.fetch_url.ports, settings.research.fetch_url.trusted) == ((80, 8080), ("10.0.0.7",))
    assert loaded.lacking == ()


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("[embeddings]\nbackend = 'ngrms'\n", "embeddings.backend", "did you mean ngrams? known are ngrams, provider"),
        ("[embeddings]\nfallback = 'x'\n", "embeddings.fallback", "known are ngrams, sentences"),
        ("[embeddings]\nbackend = 'provider'\n", "embeddings.backend", "add [llm.routes.embedding]"),
        ("[retrieval]\nbackend = 'wbe'\n", "retrieval.backend", "did you mean web? known are curated, off, web"),
        ("[retrieval]\nbackend = 'web'\n", "retrieval.backend", "set retrieval.endpoint"),
        ("[research]\ntools = ['fetch_url', 'x_search']\n", "research.tools", "set research.x_search.endpoint"),
    ],
)  # fmt: skip
def test_what_cannot_be_opened_is_told_before(load, text, key, said):
    (lack,) = load(text).lacking
    assert lack.refuses
    assert lack.key == key
    assert said in str(lack)


def test_a_route_that_nobody_would_ask_is_told(load):
    (lack,) = load("[llm]\nprofile = 'live'\n[llm.routes.embedding]\nprovider = 'openai'\n").lacking
    assert not lack.refuses
    assert 'set embeddings.backend = "provider"; until then ngrams' in str(lack)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "no passages are looked up; set backend in [retrieval], and remove [llm.routes.retrieval]"),
        ("[retrieval]\nbackend = 'curated'\n", "passages come from [retrieval] alone"),
    ],
)
def test_a_route_for_passages_has_no_effect_and_that_is_told(load, more, said):
    text = f"[llm]\nprofile = 'live'\n[llm.routes.retrieval]\nprovider = 'openai'\nmodel = 'x'\n{more}"
    (lack,) = load(text).lacking
    assert not lack.refuses
    assert said in str(lack)


# --- prompts, and what a task keeps ----------------------------------------------------------------------------


def test_the_task_of_a_program_takes_all_that_is_kept_for_it(load):
    assert set(lookup_fields(Settings())) <= set(ProgramTask.model_fields)
    plain = {"templates": {}, "same_looks": SAME_LOOKS, "background": 0, "model_share": MODEL_SHARE}
    assert lookup_fields(Settings()) == plain
    text = "[llm]\nshare = 1\n[embeddings]\nnovelty = 'off'\n[retrieval]\nbackend = 'curated'\nlimit = 3\n"
    kept = {"templates": {}, "same_looks": 0.0, "background": 3, "model_share": 1.0}
    assert lookup_fields(load(text).settings) == kept


def test_templates_are_kept_whole(load, tmp_path):
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "mutation_ask.j2").write_text("Change {{ paths[0] }}.{% include 'more.j2' %}")
    (folder / "more.j2").write_text("Please.")
    (folder / "notes.txt").write_text("no template")
    found = templates_of(load(f"[llm]\ntemplates = '{folder}'\n").settings)
    assert found["more.j2"] == "Please."
    assert set(found) == {
        "answer_diff.j2",
        "answer_replace.j2",
        "answer_rewrite.j2",
        "more.j2",
        "mutation_ask.j2",
        "mutation_system.j2",
    }
    assert all(found.values())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mutation_ask.j2", "a\n{{ nothing }}", r"^llm\.templates: .*mutation_ask\.j2, line 2: 'nothing' is undefined"),
        ("mutation_ask.j2", "x" * 100_001, r"have 100,001 bytes; at most 100,000"),
        ("other.j2", "a", r"^llm\.templates: .* has none of the templates that a prompt is made of"),
    ],
)  # fmt: skip
def test_templates_that_make_no_prompt_are_told(load, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=said):
        templates_of(load(f"[llm]\ntemplates = '{tmp_path}'\n").settings)
