"""A domain is one registration; one that is broken breaks itself alone."""

import re
import sys
from dataclasses import replace

import pytest
from structlog.testing import capture_logs
from tests.rules.attackers import bare, install_plugin
from tests.support.rows import check_rows

from mendel.contracts.errors import BrokenPlugin, DomainFailed, InvalidRow, UnknownPlugin
from mendel.contracts.step_words import StepWords
from mendel.kernel.loading import load_domain
from mendel.ports.registration import (
    DomainRegistration,
    DomainRouter,
    DomainSettings,
    blamed,
    find_registration,
    find_registrations,
)

MINE = DomainRegistration(name="mine", title="Mine", summary="For tests.", domain="mine_package:Mine")
LOOKING = StepWords(step="mine.look", word="looking", completed="thing.seen")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a module; the names of its registrations by the domain's."""

    def install(source, **registrations):
        folder = install_plugin(tmp_path, source, {"registrations": {}})
        (info,) = folder.glob("*.dist-info")
        lines = [f"{name} = {folder.name}:{attribute}" for name, attribute in registrations.items()]
        (info / "entry_points.txt").write_text("\n".join(("[mendel.domains]", *lines, "")))
        monkeypatch.syspath_prepend(str(folder))
        return folder.name

    return install


REGISTRATION = """
from mendel.ports.registration import DomainRegistration
MADE = DomainRegistration(name="{name}", title="It", summary="For tests.", domain="{domain}")
"""


def test_a_domain_is_found_and_listed_without_being_imported(installed):
    installed(REGISTRATION.format(name="lazy", domain="lazy_package.domain:Lazy"), lazy="MADE")
    before = set(sys.modules)
    assert find_registration("lazy").domain == "lazy_package.domain:Lazy"
    (found,) = [each for each in find_registrations() if each.plugin.name == "lazy"]
    assert (found.registration.title, found.refusal) == ("It", None)
    assert not [name for name in set(sys.modules) - before if name.startswith("lazy_package")]
    with pytest.raises(BrokenPlugin, match=r'"lazy" registers .lazy_package\.domain:Lazy. as its domain'):
        load_domain("lazy")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("MADE = 5", "is a int, not a mendel.ports.registration.DomainRegistration"),
        (bare("odd") + "\nMADE = Bare", "is the class Bare, not a"),
        (REGISTRATION.format(name="even", domain="x:X"), "registers itself as 'even'"),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
    ],
)
def test_a_registration_that_is_none_breaks_only_itself(installed, source, told):
    installed(source, odd="MADE")
    with pytest.raises(BrokenPlugin, match=told):
        find_registration("odd")
    found = {each.plugin.name: each for each in find_registrations()}
    assert found["odd"].registration is None
    assert told.split(":")[0] in found["odd"].refusal
    assert found["programs"].registration == find_registration("programs")


def test_a_domain_that_nobody_has_is_answered_with_the_known_ones():
    with pytest.raises(UnknownPlugin, match=r"known are .*programs.*, texts.*; otherwise, install the package"):
        find_registration("no_such_domain")


def test_a_name_that_two_packages_claim_is_listed_once_with_its_refusal(installed):
    for _ in range(2):
        installed(REGISTRATION.format(name="ours", domain="x:X"), ours="MADE")
    (found,) = [each for each in find_registrations() if each.plugin.name == "ours"]
    assert "is claimed by" in found.refusal


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("no_such_package:Mine", "ModuleNotFoundError"),
        ("mendel:no_such_thing", "AttributeError"),
        ("not a reference", "AttributeError"),
        ("", "AttributeError"),
    ],
)
def test_what_a_field_names_and_nobody_has_is_told_with_the_field(reference, told):
    with pytest.raises(BrokenPlugin, match=rf'"mine" registers .* as its launch, .*{told}') as caught:
        MINE.resolve("launch", reference)
    assert repr(reference) in str(caught.value)


@pytest.mark.parametrize("path", ["world", "/", "/world/", "/{name}", "/a//b", "/a b", "/../api", ""])
def test_a_root_path_is_a_plain_one(path):
    assert DomainRouter(router="x:y", path="/world/v1.2").path == "/world/v1.2"
    with pytest.raises(ValueError, match="is no root path"):
        DomainRouter(router="x:y", path=path)


def test_every_field_that_names_something_is_told():
    whole = replace(
        MINE, launch="a:b", text="c:d", routers=(DomainRouter(router="e:f"),), services=("g:h", "i:j"), panels="k:l"
    )
    assert [reference for _, reference in whole.references()] == [
        "mine_package:Mine",
        "a:b",
        "c:d",
        "k:l",
        "e:f",
        "g:h",
        "i:j",
    ]


@check_rows(
    ("field", "value", "told"),
    [
        *((field, None, f"{field} of mine is a NoneType, not text") for field in ("title", "summary", "domain")),
        ("name", 5, "name of 5 is a int, not text"),
        *(
            (field, 5, f"{field} of mine is a int, not text or None")
            for field in ("launch", "text", "tables", "evolve")
        ),
        ("report", ("a:b",), "report of mine is a tuple, not text or None"),
        ("panels", True, "panels of mine is a bool, not text or None"),
        ("routers", DomainRouter(router="a:b"), "routers of mine is a DomainRouter, not a tuple of DomainRouter"),
        ("routers", ("a:b",), "routers of mine is a tuple, not a tuple of DomainRouter"),
        ("services", "a:b", "services of mine is a str, not a tuple of references"),
        ("services", None, "services of mine is a NoneType, not a tuple of references"),
        ("commands", ("tea",), "commands of mine is a tuple, not a mapping from names to references"),
        ("commands", {"tea": 5}, "commands of mine is a dict, not a mapping from names to references"),
        ("runs_commands", "no", "runs_commands of mine is a str, not True or False"),
        ("settings", "a:b", "settings of mine is a str, not a DomainSettings or None"),
        ("steps", [LOOKING], "steps of mine is a list, not a tuple of StepWords"),
    ],
)
def test_a_field_of_another_shape_is_refused_where_the_domain_is_registered(field, value, told):
    with pytest.raises(TypeError, match=re.escape(told)):
        replace(MINE, **{field: value})


@check_rows(
    ("made", "told"),
    [
        (lambda: DomainRouter(router=None), "router of a DomainRouter is a NoneType, not text"),
        (lambda: DomainRouter(router="a:b", path=5), "path of a DomainRouter is a int, not text or None"),
        (
            lambda: DomainRouter(router="a:b", reading="look"),
            "reading of a DomainRouter is a str, not a frozenset of types",
        ),
        (lambda: DomainSettings(tables=("mine",)), "tables of a DomainSettings is a tuple, not a mapping"),
        (lambda: DomainSettings(tables={"mine": 5}), "tables of a DomainSettings is a dict, not a mapping"),
        (lambda: DomainSettings(tables={}, aliases=None), "aliases of a DomainSettings is a NoneType, not a mapping"),
        (lambda: DomainSettings(tables={}, refused={"MINE"}), "refused of a DomainSettings is a set, not a mapping"),
    ],
)
def test_parts_of_a_registration_have_their_shape_too(made, told):
    with pytest.raises(TypeError, match=re.escape(told)):
        made()


@check_rows(
    ("steps", "told"),
    [
        ((StepWords(step="other.look", word="looking"),), "begin its steps; other.look do not begin with mine."),
        ((LOOKING, LOOKING.model_copy(update={"completed": None})), "registers mine.look twice"),
        ((LOOKING, StepWords(step="mine.see", word="seeing", failed="thing.seen")), "registers thing.seen twice"),
        ((StepWords(step="mine.see", word="seeing", failed="run.failed"),), "the log has events of that name"),
    ],
)
def test_the_words_of_steps_are_the_domain_s_own_and_unlike_those_of_the_log(steps, told):
    assert replace(MINE, steps=(LOOKING,)).steps == (LOOKING,)
    with pytest.raises(ValueError, match=told):
        replace(MINE, steps=steps)


def test_what_a_field_names_is_loaded():
    assert MINE.resolve("domain", "mendel.ports.registration:DomainRegistration") is DomainRegistration


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (KeyError("planted"), DomainFailed),
        (ValueError("planted"), ValueError),
        (InvalidRow("planted"), InvalidRow),
    ],
)
def test_what_code_of_a_domain_raises_is_told_as_the_domain_s_but_for_what_is_expected(raised, told):
    def row(cup):
        raise raised

    with capture_logs() as logged, pytest.raises(told) as caught:
        blamed("programs", "the report", row, passing=ValueError)("cup")
    if told is DomainFailed:
        assert re.fullmatch(
            r'the report of the domain "programs" \(mendel .*\) raised KeyError; this is a bug of the domain',
            str(caught.value),
        )
    assert [(each["event"], each["exc_info"]) for each in logged] == (
        [("domain_failed", raised)] if told is DomainFailed else []
    )
