import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from tests.plugins import path_without_plugins
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError
from mendel.settings import PROVIDER_VARIABLES, Settings, environment_variables, load_settings, mask_url

EXAMPLE = Path(__file__).parents[1] / ".env.example"
PASSWORD = "geheim-9f2"
DATABASE = f"postgresql://mendel:{PASSWORD}@db.example:5433/log"


@pytest.fixture(autouse=True)
def without_plugins(monkeypatch):
    """The settings of Mendel alone, whatever is installed for other tests."""
    monkeypatch.setattr(sys, "path", path_without_plugins())


@pytest.fixture
def load(tmp_path):
    def _load(text=None, *, environ=None, flags=None):
        target = tmp_path / "mendel.toml"
        target.unlink(missing_ok=True)
        if text is not None:
            target.write_text(text, encoding="utf-8")
        return load_settings(directory=tmp_path, environ=environ or {}, flags=flags)

    return _load


def complaints(load, *args, **kwargs):
    with pytest.raises(ConfigError) as caught:
        load(*args, **kwargs)
    return str(caught.value).splitlines()


def test_without_any_source_everything_is_a_default(load):
    loaded = load()
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}
    assert loaded.warnings == ()


def test_each_source_overrides_the_one_before_and_is_named(load, tmp_path):
    text = 'home = "f"\n[log]\nbackend = "f"\n[telemetry]\nlog_level = "info"\nlog_json = true\n'
    environ = {"MENDEL_LOG__BACKEND": "e", "MENDEL_TELEMETRY__LOG_LEVEL": "error"}
    loaded = load(text, environ=environ, flags={"telemetry.log_level": "debug"})
    assert loaded.settings.home == Path("f")
    assert loaded.settings.log.backend == "e"
    assert loaded.settings.telemetry.log_level == "debug"
    assert loaded.origins["home"] == str(tmp_path / "mendel.toml")
    assert loaded.origins["log.backend"] == "environment MENDEL_LOG__BACKEND"
    assert loaded.origins["telemetry.log_level"] == "flag --telemetry-log-level"
    assert loaded.origins["database.url"] == "default"


LAYERS = st.lists(st.sampled_from(["debug", "info", "warning", "error"]) | st.none(), min_size=3, max_size=3)


@given(levels=LAYERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_last_source_that_speaks_wins(load, levels):
    in_file, in_environment, in_flags = levels
    loaded = load(
        f'[telemetry]\nlog_level = "{in_file}"\n' if in_file else "",
        environ={"MENDEL_TELEMETRY__LOG_LEVEL": in_environment or ""},
        flags={"telemetry.log_level": in_flags} if in_flags else {},
    )
    expected = in_flags or in_environment or in_file or "warning"
    assert loaded.settings.telemetry.log_level == expected


def known_keys():
    return set(load_settings(directory=Path("/nonexistent"), environ={}).origins)


BARE = st.from_regex(r"[a-z_][a-z0-9_]{0,12}", fullmatch=True)


@given(section=st.none() | st.sampled_from(["log", "database", "redis", "telemetry"]), name=BARE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_an_unknown_key_is_always_named_with_its_line(load, tmp_path, section, name):
    key = f"{section}.{name}" if section else name
    assume(key not in known_keys() and key not in Settings.model_fields)
    header = f"[{section}]\n" if section else ""
    (line,) = complaints(load, f"# a comment\n{header}{name} = 1\n")
    assert line.startswith(f"{tmp_path / 'mendel.toml'}:{3 if section else 2}: {key}: unknown key; ")
    (line,) = complaints(load, flags={key: "1"})
    assert f" {key}: unknown key; " in line


@given(key=st.text(max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_that_is_no_key_is_refused_on_one_line(load, key):
    assume(key not in known_keys())
    (line,) = complaints(load, flags={key: PASSWORD})
    assert "unknown key" in line
    assert PASSWORD not in line


def test_all_wrong_keys_are_told_at_once(load, tmp_path):
    text = '[log]\nbakend = "file"\n\n[telemetry]\nlog_level = "loud"\n[database]\npatience_s = true\n'
    lines = complaints(load, text, environ={"MENDEL_TELEMETRY__LOG_JSON": "perhaps"}, flags={"hoem": "x"})
    file = tmp_path / "mendel.toml"
    boolean = "expected a valid boolean, unable to interpret input"
    assert sorted(lines) == sorted(
        [
            f"{file}:2: log.bakend: unknown key; did you mean log.backend?",
            f"{file}:5: telemetry.log_level: expected 'debug', 'info', 'warning' or 'error', found 'loud'",
            f"{file}:7: database.patience_s: expected a number, found True",
            f"environment MENDEL_TELEMETRY__LOG_JSON: telemetry.log_json: {boolean}, found 'perhaps'",
            "flag --hoem: hoem: unknown key; did you mean home?",
        ]
    )


def test_a_mistake_is_told_even_where_it_is_overridden(load):
    (line,) = complaints(load, "[log]\nbackend = 1\n", flags={"log.backend": "file"})
    assert "log.backend: expected a valid string, found 1" in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log = 3\n", ":1: log: expected a table, found an integer"),
        ("[[log]]\nbackend = 'x'\n", ":1: log: expected a table, found an array"),
        ("[llm]\nbackend_weights = 3\n", ":2: llm.backend_weights: expected a table, found 3"),
        (
            "[evolve.task]\npackages = 'numpy'\n",
            ":2: evolve.task.packages: expected an array, found a string; put brackets around it: packages = […]",
        ),
        (
            "[evolve.task]\nheld_sizes = []\n",
            ":2: evolve.task.held_sizes: expected one value or more, found none; omit the key for the default",
        ),
        (
            "[evolve.task]\nheld_sizes = [0]\n",
            ":2: evolve.task.held_sizes: expected greater than or equal to 1, found an integer",
        ),
        (
            "[evolve.task]\ntiming_size = 0\n",
            ":2: evolve.task.timing_size: expected greater than or equal to 1, found 0",
        ),
        ("home = ''\n", ":1: home: expected a path"),
        ("home = \"a\\u0000\"\n", ":1: home: expected a path"),
        ("[database]\npatience_s = nan\n", ":2: database.patience_s: expected a finite number, found nan"),
        ("[database]\npatience_s = -1\n", ":2: database.patience_s: expected greater than or equal to 0"),
        ("[database]\npatience_s = 2021-01-01\n", "database.patience_s: expected a valid number, found a date"),
        ("[log]\nbackend = ''\n", ":2: log.backend: string should have at least 1 character"),
        ("'log.backend' = 1\n", ':1: "log.backend": unknown key'),
        ("x = [\n 1,\n 2,\n]\n[log]\nsecret_envs = [\n  'A',\n  'a b']\n", ":6: log.secret_envs: "),
        ("backend = 'file'\n", ":1: backend: unknown key; did you mean log.backend?"),
        ("[log]\nzzzzzz = 1\n", ":2: log.zzzzzz: unknown key; known are log.backend, log.secret_envs"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_explained_by_line(load, text, expected):
    assert any(expected in line for line in complaints(load, text))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("home = 'x'\n[log\n", "at line 2, column 5"),
        ("home = 'x", "at line 1, column 10"),
        ("home = 1\nhome = 2\n", "at line 2, column"),
        ("home = \n", "at line 1, column 8"),
    ],
)
def test_a_syntax_error_names_line_and_column(load, tmp_path, text, where):
    (line,) = complaints(load, text)
    assert line.startswith(f"{tmp_path / 'mendel.toml'}: not valid TOML: ")
    assert where in line


def test_a_bottomless_file_is_refused(load):
    assert "nested too deeply" in complaints(load, "a = " + "[" * 50_000)[0]


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path):
    (tmp_path / "mendel.toml").write_bytes(b"\xef\xbb\xbf[log]\r\nbackend = 'file'\r\n")
    assert load_settings(directory=tmp_path, environ={}).settings.log.backend == "file"


def test_an_explicit_file_must_exist_and_is_read_instead(tmp_path):
    named = tmp_path / "other.toml"
    with pytest.raises(ConfigError, match=r"other\.toml: there is no such file"):
        load_settings(file=named, environ={})
    named.write_text("home = 'there'\n")
    (tmp_path / "mendel.toml").write_text("home = 'here'\n")
    loaded = load_settings(file=named, directory=tmp_path, environ={})
    assert (loaded.settings.home, loaded.origins["home"]) == (Path("there"), str(named))


def test_an_unreadable_file_is_a_clear_error(tmp_path):
    target = tmp_path / "mendel.toml"
    target.mkdir()
    with pytest.raises(ConfigError, match=r"mendel\.toml: cannot be read: Is a directory"):
        load_settings(directory=tmp_path, environ={})
    target.rmdir()
    target.write_bytes(b"home = '\xff'\n")
    with pytest.raises(ConfigError, match=r"mendel\.toml: not UTF-8 \(byte 8\)"):
        load_settings(directory=tmp_path, environ={})


def test_a_file_without_permission_is_a_clear_error(tmp_path):
    target = tmp_path / "mendel.toml"
    target.write_text("")
    target.chmod(0)
    try:
        target.read_bytes()
    except PermissionError:
        with pytest.raises(ConfigError, match="cannot be read: Permission denied"):
            load_settings(directory=tmp_path, environ={})
    else:
        assert load_settings(directory=tmp_path, environ={}).settings == Settings()


@pytest.mark.parametrize("name", ["MENDEL_DATABASE_URL", "MENDEL_DATABASE__URL"])
def test_both_spellings_of_the_database_url_are_read(load, name):
    loaded = load(environ={name: DATABASE})
    assert loaded.settings.database.url is not None
    assert loaded.settings.database.url.get_secret_value() == DATABASE
    assert loaded.origins["database.url"] == f"environment {name}"
    assert loaded.warnings == ()


def test_two_spellings_that_differ_are_refused_without_their_values(load):
    (line,) = complaints(load, environ={"MENDEL_DATABASE_URL": DATABASE, "MENDEL_DATABASE__URL": "other"})
    assert "MENDEL_DATABASE__URL and MENDEL_DATABASE_URL differ" in line
    assert PASSWORD not in line
    assert load(environ=dict.fromkeys(["MENDEL_DATABASE_URL", "MENDEL_DATABASE__URL"], DATABASE)).settings


def test_text_sources_can_say_none_and_lists(load):
    environ = {"MENDEL_LOG__SECRET_ENVS": "A_KEY, B_KEY,", "MENDEL_DATABASE__PATIENCE_S": "2.5"}
    assert load(environ=environ).settings.log.secret_envs == ("A_KEY", "B_KEY")
    assert load(environ=environ).settings.database.patience_s == 2.5
    loaded = load(environ=environ, flags={"database.patience_s": "none", "log.secret_envs": ""})
    assert loaded.settings.database.patience_s is None
    assert loaded.settings.log.secret_envs == ()


def test_an_empty_variable_counts_as_not_set(load):
    loaded = load("home = 'f'\n", environ={"MENDEL_HOME": ""})
    assert loaded.settings.home == Path("f")


def test_an_unknown_variable_warns_with_the_nearest_name(load):
    environ = {"MENDEL_LOG_BACKEND": "x", "MENDEL_TEST_STRICT": "1", "MENDEL_TEST_ANY": "1", "OTHER": "x"}
    (warning,) = load(environ=environ).warnings
    assert "MENDEL_LOG_BACKEND" in warning
    assert "did you mean MENDEL_LOG__BACKEND?" in warning


@pytest.mark.parametrize(
    "text",
    [
        f"database = '{DATABASE}'\n",
        f"[database]\nulr = '{DATABASE}'\n",
        f"[database]\nurl = ['{DATABASE}']\n",
        f"[log]\nsecret_envs = '{PASSWORD}'\n",
        f"[log]\nsecret_envs = ['{PASSWORD}']\n",
        f"{PASSWORD.partition('-')[0]} = '{DATABASE}'\n",
    ],
)
def test_no_error_shows_what_may_be_a_secret(load, text):
    assert PASSWORD not in "\n".join(complaints(load, text))


def test_the_view_masks_passwords(load):
    loaded = load(environ={"MENDEL_DATABASE_URL": DATABASE, "MENDEL_REDIS_URL": f"redis://:{PASSWORD}@r/0"})
    shown = {row.key: row.value for row in loaded.view()}
    assert shown["database.url"] == "postgresql://mendel:***@db.example:5433/log"
    assert shown["redis.url"] == "redis://:***@r/0"
    assert shown["telemetry.log_json"] == "false"
    assert shown["database.owner_url"] == "none"
    assert PASSWORD not in repr(loaded)
    assert all(row.description and row.origin for row in loaded.view())


@check_rows(
    "url",
    [
        f"postgresql://u:{PASSWORD}@h/d",
        f"postgresql://u:{PASSWORD}@[::1]:5/d",
        f"postgresql://h/d?user=u&password={PASSWORD}&sslmode=require",
        f"host=h password={PASSWORD}",
        f"postgresql://u:a/{PASSWORD}@h/d",
        f"postgresql://u:1/{PASSWORD}@h/d",
        f"postgresql://u:1?{PASSWORD}@h/d",
        f"postgresql://u:1#{PASSWORD}@h/d",
        f"postgresql://u:a@{PASSWORD}@h/d",
        f"postgresql://u:[{PASSWORD}@h/d",
        PASSWORD,
    ],
)
def test_no_way_of_writing_a_password_is_shown(url):
    assert PASSWORD not in mask_url(url)


def test_settings_are_frozen():
    with pytest.raises(ValidationError):
        Settings().home = Path("x")
    with pytest.raises(ValidationError):
        Settings().log.backend = "x"


def described(model: type[BaseModel]):
    for name, field in model.model_fields.items():
        yield f"{model.__name__}.{name}", field.description
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from described(field.annotation)


def test_every_field_is_described_in_the_schema():
    assert [name for name, description in described(Settings) if not description] == []
    assert Settings.model_json_schema()["additionalProperties"] is False


def example():
    """Name -> (value, the comment above it)."""
    found = {}
    for block in EXAMPLE.read_text(encoding="utf-8").split("\n\n"):
        *comment, last = block.strip().splitlines()
        if not last.startswith("#"):
            name, _, value = last.partition("=")
            found[name] = (value, " ".join(line.removeprefix("# ") for line in comment))
    return found


def test_the_example_holds_exactly_the_variables_that_are_read():
    assert set(example()) == set(environment_variables())
    assert set(PROVIDER_VARIABLES) <= set(environment_variables())


def test_the_example_explains_each_variable_by_its_description():
    for name, description in environment_variables().items():
        assert example()[name][1].startswith(description)


def test_the_example_holds_nothing_that_looks_like_a_key():
    for name, (value, _) in example().items():
        assert not re.search(r"sk-|gsk_|AIza|://|[A-Za-z0-9_+/-]{20}", value), name
        assert name not in PROVIDER_VARIABLES or value == ""


def test_the_example_as_it_stands_says_the_defaults():
    environ = {name: value for name, (value, _) in example().items()}
    loaded = load_settings(directory=Path("/nonexistent"), environ=environ)
    assert loaded.settings == Settings()
    assert loaded.warnings == ()
