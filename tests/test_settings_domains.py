"""Settings of domains: declared by a registration, loaded when they are mentioned, and broken alone."""

import pickle
import sys

import pytest
from tests.plugins import installed_plugins, path_without_plugins
from tests.rules.attackers import install_plugin

from mendel.cli.main import _run
from mendel.contracts.errors import ConfigError
from mendel.ports.registration import DomainRegistration, DomainSettings
from mendel.ports.registry import plugins
from mendel.settings import environment_variables, load_settings, settings_schema
from mendel.wiring import scrubber

PASSWORD = "geheim-9f2"
FRONT = "mendel_reference.settings"
FILE = f"""
[reference]
begins = 3
relay = "redis://:{PASSWORD}@relay/0"
password = "{PASSWORD}-too"

[evolve]
selector = "epsilon"
reference_note = "mine"
"""


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """The foreign domain, really installed."""
    with installed_plugins(tmp_path_factory.mktemp("site")) as folder:
        yield folder


@pytest.fixture
def model():
    """The model of its table."""
    from mendel_reference.settings import MarkerSettings

    return MarkerSettings


@pytest.fixture
def load(tmp_path):
    def _load(text="", *, environ=None, flags=None):
        (tmp_path / "mendel.toml").write_text(text, encoding="utf-8")
        return load_settings(directory=tmp_path, environ=environ or {}, flags=flags)

    return _load


def complaints(load, *args, **kwargs):
    with pytest.raises(ConfigError) as caught:
        load(*args, **kwargs)
    return str(caught.value).splitlines()


def view(loaded):
    return {row.key: (row.value, row.origin) for row in loaded.view()}


# --- where they come from ------------------------------------------------------------------------------------


def test_each_source_overrides_the_one_before(load, model, tmp_path):
    loaded = load(FILE, environ={"MENDEL_REFERENCE__BEGINS": "5"}, flags={"reference.begins": "7"})
    assert loaded.settings.section(model).begins == 7
    assert loaded.settings.evolve.selector == "epsilon"
    shown = view(loaded)
    assert shown["reference.begins"] == ("7", "flag --reference-begins")
    assert shown["evolve.reference_note"] == ("mine", str(tmp_path / "mendel.toml"))
    assert view(load(FILE, environ={"MENDEL_REFERENCE__BEGINS": "5"}))["reference.begins"] == (
        "5",
        "environment MENDEL_REFERENCE__BEGINS",
    )
    assert load().settings.section(model) == model()


def test_an_alias_sets_its_key_and_must_not_differ_from_it(load, model):
    loaded = load(environ={"MARKER_BEGINS": "4"})
    assert loaded.settings.section(model).begins == 4
    assert loaded.origins["reference.begins"] == "environment MARKER_BEGINS"
    (line,) = complaints(load, environ={"MARKER_BEGINS": "4", "MENDEL_REFERENCE__BEGINS": "5"})
    assert "MENDEL_REFERENCE__BEGINS and MARKER_BEGINS differ" in line


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[reference]\nbegins = -1\n", 2, "reference.begins: expected greater than or equal to 0, found -1"),
        ("[reference]\nbegin = 1\n", 2, "reference.begin: unknown key; did you mean reference.begins?"),
        ("[referense]\nbegins = 1\n", 1, "referense: unknown key; did you mean reference?"),
        ("[evolve]\nreference_not = 'a'\n", 2, "did you mean evolve.reference_note?"),
        ("[evolve]\nreference_note = 1\n", 2, "evolve.reference_note: expected a valid string, found 1"),
        ("reference = 1\n", 1, "reference: expected a table, found an integer"),
        ("[reference]\n\ntarget = 1\n", 3, "reference.target: refused: the target belongs to the run"),
    ],
)
def test_a_mistake_is_named_with_its_line(load, tmp_path, text, line, said):
    (found,) = complaints(load, text)
    assert found.startswith(f"{tmp_path / 'mendel.toml'}:{line}: ")
    assert said in found


def test_mistakes_of_the_environment_and_of_flags_are_named(load):
    found = complaints(
        load,
        environ={"MARKER_BEGINS": "x", "MARKER_TARGET": "1", "MENDEL_REFERENCE__TARGET": "1"},
        flags={"reference.target": "1"},
    )
    assert [line.partition(": refused")[0] for line in found if "refused: the target belongs" in line] == [
        "flag --reference-target: reference.target",
        "environment: MENDEL_REFERENCE__TARGET",
        "environment: MARKER_TARGET",
    ]
    assert any(
        line.startswith("environment MARKER_BEGINS: reference.begins: expected a valid integer") for line in found
    )
    (warning,) = load(environ={"MENDEL_REFERENCE__BEGIN": "1"}).warnings
    assert "MENDEL_REFERENCE__BEGINS?" in warning


# --- what is shown -------------------------------------------------------------------------------------------


def test_secrets_are_masked_and_known_to_the_scrubber(load, monkeypatch):
    monkeypatch.setenv("RELAY_KEY", "c0ffee-c0ffee-c0ffee")
    loaded = load(FILE, environ={"MENDEL_REFERENCE__KEY_ENV": "RELAY_KEY"})
    assert view(loaded)["reference.relay"][0] == "redis://:***@relay/0"
    assert PASSWORD not in repr((loaded, loaded.view()))
    told = scrubber(loaded.settings).text(f"{PASSWORD} {PASSWORD}-too c0ffee-c0ffee-c0ffee")
    assert not {"geheim", "too", "c0ffee"} & set(told.replace("-", " ").split())
    wrong = complaints(load, f"[reference]\npassword = ['{PASSWORD}']\nkey_env = '{PASSWORD}'\n")
    assert len(wrong) == 2
    assert PASSWORD not in "\n".join(wrong)


def test_view_schema_and_variables_have_them_with_and_without_a_word(load, model):
    assert view(load())["reference.begins"] == ("0", "default")
    schema = settings_schema()
    assert {"begins", "relay"} <= set(schema["$defs"]["MarkerSettings"]["properties"])
    evolve = schema["$defs"]["EvolveSettings"]["properties"]
    assert {"selector", "stop", "task", "entry_fn", "reference_note"} <= set(evolve)
    assert schema["additionalProperties"] is False
    variables = environment_variables()
    assert variables["MENDEL_REFERENCE__BEGINS"] == "Where the marker stands when the server starts."
    assert variables["MARKER_BEGINS"].startswith("The same as MENDEL_REFERENCE__BEGINS.")
    assert pickle.loads(pickle.dumps(load(FILE).settings)).section(model).begins == 3


def test_config_tells_of_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mendel.toml").write_text(FILE)
    assert _run(["config", "view", "--json"]) == 0
    out = capsys.readouterr().out
    assert '"reference.begins"' in out
    assert PASSWORD not in out
    assert _run(["config", "schema"]) == 0
    assert "Where the marker stands" in capsys.readouterr().out


# --- what breaks alone ---------------------------------------------------------------------------------------


def test_nothing_of_a_domain_is_loaded_before_it_is_mentioned(load):
    front = "mendel.domains.programs.front.settings"
    kept = {name: sys.modules.pop(name) for name in (FRONT, front) if name in sys.modules}
    try:
        load("[log]\nbackend = 'file'\n", environ={"MENDEL_SANDBOX__WORKERS": "1"}, flags={"home": "x"})
        assert not {FRONT, front} & set(sys.modules)
        load("[reference]\nbegins = 1\n")
        assert (FRONT in sys.modules, front in sys.modules) == (True, False)
    finally:
        sys.modules.update(kept)


def test_the_table_of_an_absent_domain_is_told_and_breaks_only_itself(load, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", path_without_plugins())
    loaded = load(
        f"[log]\nbackend = 'file'\n{FILE.partition('[evolve]')[0]}", environ={"MENDEL_REFERENCE__BEGINS": "1"}
    )
    assert loaded.settings.log.backend == "file"
    (warning,) = loaded.warnings
    assert warning.startswith(f"{tmp_path / 'mendel.toml'}:4: reference: ignored: ")
    assert 'no domain "reference" is installed' in warning
    monkeypatch.setattr(
        "mendel.settings.domain_sections.INSTALLABLE", {("mendel.domains", "reference"): "mendel-reference"}
    )
    assert "pip install 'mendel-reference'" in load("[reference]\nbegins = 1\n").warnings[0]
    monkeypatch.chdir(tmp_path)
    assert _run(["--log", "file", "runs"]) == 0


BROKEN = """
from mendel.ports.registration import DomainRegistration, DomainSettings
MADE = DomainRegistration(name="odd", title="Odd", summary="For tests.", domain="x:X",
    settings=DomainSettings(tables={{"odd": "{odd}", "evolve": "{evolve}"}}, aliases={{"ODD": "evolve.selector"}},
        refused={{"MENDEL_HOME": "never", "evolve.selector": "never"}}))
"""
PARTS = """
from typing import Annotated
from pydantic import BaseModel
from mendel.settings import Section
from mendel.settings.models import KeyVariable

class Fine(Section):
    number: int = 1

class Required(Section):
    number: int

class Plain(BaseModel):
    number: int = 1

class Secret(Section):
    key_env: KeyVariable = "SOME_KEY"

class Taken(Section):
    selector: str = "mine"
"""


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """Installs a domain with these two sections."""

    def install(odd="Fine", evolve="Fine", source=None):
        folder = install_plugin(tmp_path, source or PARTS, {"registrations": {}})
        name = folder.name
        (folder / f"{name}_registration.py").write_text(BROKEN.format(odd=f"{name}:{odd}", evolve=f"{name}:{evolve}"))
        (info,) = folder.glob("*.dist-info")
        (info / "entry_points.txt").write_text(f"[mendel.domains]\nodd = {name}_registration:MADE\n")
        monkeypatch.syspath_prepend(str(folder))

    return install


ODD = "[odd]\nnumber = 2\n[evolve]\nselector = 'epsilon'\nreference_note = 'mine'\n"


@pytest.mark.parametrize(
    ("sections", "table", "told"),
    [
        ({"odd": "Missing"}, "odd", "cannot be loaded: AttributeError"),
        ({"source": "1 / 0"}, "odd", "cannot be loaded: ZeroDivisionError"),
        ({"odd": "Plain"}, "odd", "is not a mendel.settings.Section"),
        ({"odd": "Required"}, "odd", "has a key without a valid default (number); add one"),
        ({"odd": "Secret"}, "odd", "has a default for odd.key_env"),
        ({"evolve": "Taken"}, "evolve", "cannot be added: evolve.selector is already there"),
    ],
)
def test_a_section_that_does_not_load_breaks_only_itself(load, odd, sections, table, told):
    odd(**sections)
    loaded = load(ODD)
    assert loaded.settings.evolve.selector == "epsilon"
    assert view(loaded)["evolve.reference_note"][0] == "mine"
    assert load(environ={"ODD": "ucb", "MENDEL_HOME": "x"}).settings.evolve.selector is None
    (warning,) = [each for each in loaded.warnings if f" {table}: ignored: " in each]
    assert told in warning
    assert '"odd"' in warning
    assert "repair or uninstall" in warning
    assert load(environ={"MENDEL_ODD__NUMBER": "x"} if table == "odd" else {}).settings


RIVAL = """
from mendel.ports.registration import DomainRegistration, DomainSettings
from mendel.settings import Section

class Own(Section):
    number: int = {number}

MADE = DomainRegistration(name="{name}", title="", summary="", domain="x:X",
    settings=DomainSettings(tables={{"odd": "{module}:Own", "drinks": "{module}:Own2"}},
        aliases={{"ODD_CUP": "odd.number"}}))

class Own2(Section):
    number: int = {number}
"""


def test_a_table_that_two_packages_claim_is_the_domain_s_of_that_name_or_nobody_s(load, tmp_path, monkeypatch):
    packages = {}
    for number, name in enumerate(("even", "odd", "zero")):
        folder = install_plugin(tmp_path, "", {"registrations": {}})
        packages[name] = f"{folder.name} 1.0"
        module = f"{folder.name}_rival"
        (folder / f"{module}.py").write_text(RIVAL.format(name=name, module=module, number=number))
        (info,) = folder.glob("*.dist-info")
        (info / "entry_points.txt").write_text(f"[mendel.domains]\n{name} = {module}:MADE\n")
        monkeypatch.syspath_prepend(str(folder))
    loaded = load("[odd]\nnumber = 7\n[drinks]\nnumber = 8\n", environ={"ODD_CUP": "9"})
    assert view(loaded)["odd.number"][0] == "7"
    assert "drinks.number" not in view(loaded)
    (section,) = loaded.settings._sections
    assert section.__module__.startswith(packages["odd"].split()[0])
    told = [each for each in loaded.warnings if ": odd: " in each]
    for name, warning in zip(("even", "zero"), told, strict=True):
        assert f'the domain "{name}" registers in its settings, cannot be added: odd is claimed by' in warning
        assert f'"odd" ({packages["odd"]}), too; repair or uninstall {packages[name]}' in warning
        assert "ignored" not in warning
    assert len([each for each in loaded.warnings if ": drinks: ignored: " in each]) == 3
    assert (
        f'environment: ODD_CUP: ignored: it is claimed by the domain "even" ({packages["even"]})' in loaded.warnings[-1]
    )


def test_a_registration_that_does_not_load_takes_its_table_along(load, odd):
    odd()
    assert view(load(ODD))["odd.number"][0] == "2"
    (plugin,) = [each for each in plugins("mendel.domains") if each.name == "odd"]
    module = plugin.value.partition(":")[0]
    sys.modules.pop(module)
    sys.modules[module] = None
    try:
        loaded = load("[odd]\nnumber = 2\n[evolve]\nselector = 'epsilon'\nnumber = 3\n[its.own]\nx = 1\n")
    finally:
        del sys.modules[module]
    assert loaded.settings.evolve.selector == "epsilon"
    assert {each.split(": ")[1] for each in loaded.warnings} == {"odd", "its", "evolve.number"}
    assert all("cannot be loaded" in each for each in loaded.warnings)


def test_metadata_that_cannot_be_read_keeps_no_command_away(load, tmp_path, monkeypatch):
    folder = install_plugin(tmp_path, "", {"registrations": {}})
    (info,) = folder.glob("*.dist-info")
    (info / "entry_points.txt").write_text("[mendel.domains]\nnothing\n")
    monkeypatch.syspath_prepend(str(folder))
    loaded = load("[log]\nbackend = 'file'\n")
    assert loaded.settings.log.backend == "file"
    assert "entry_points.txt" in loaded.warnings[0]


def test_what_a_registration_says_of_settings_is_checked():
    with pytest.raises(ValueError, match="is no table"):
        DomainSettings(tables={"Mine": "a:B"})
    with pytest.raises(ValueError, match="alias"):
        DomainSettings(tables={"mine": "a:B"}, aliases={"MINE": "other.key"})
    with pytest.raises(ValueError, match="cannot be refused"):
        DomainSettings(tables={"mine": "a:B"}, refused={"log.backend": "never"})
    with pytest.raises(TypeError, match="not a DomainSettings"):
        DomainRegistration(name="a", title="A", summary="", domain="a:B", settings="a:B")
