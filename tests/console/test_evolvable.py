"""What domains add to `mendel evolve`: which of them is meant, and one that cannot be used is left out."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from mendel.console import evolvable as room
from mendel.console.evolvable import Evolvable, chosen, evolvables
from mendel.contracts.errors import ConfigError, DomainFailed
from mendel.ports.registration import DomainRegistration


def plan_function(session, asked, *, task: str | None = None, tests: list[str] | None = None):
    """Plans nothing."""


def plan_text(session, asked, *, run: str | None = None, minimize: bool = False):
    """Plans nothing."""


FUNCTION = Evolvable(plan=plan_function, help="", examples=(), idle="is for functions")
TEXT = Evolvable(plan=plan_text, help="", examples=(), idle="needs --run", chosen_by="run")
NOTHING = {"task": None, "tests": None, "run": None, "minimize": False}


def test_an_option_says_which_is_meant_and_without_one_it_is_the_one_that_needs_none():
    assert chosen([TEXT, FUNCTION], NOTHING) is FUNCTION
    assert chosen([FUNCTION, TEXT], {**NOTHING, "run": "make", "minimize": True}) is TEXT


def test_an_option_of_another_one_is_refused_by_its_name():
    with pytest.raises(ConfigError, match="--minimize needs --run"):
        chosen([FUNCTION, TEXT], {**NOTHING, "minimize": True})
    with pytest.raises(ConfigError, match="--task is for functions"):
        chosen([FUNCTION, TEXT], {**NOTHING, "run": "make", "task": "task.py"})


def test_two_that_are_meant_or_none_are_refused():
    other = replace(TEXT, chosen_by="task", plan=plan_function)
    with pytest.raises(ConfigError, match="--run and --task mean different things"):
        chosen([TEXT, other], {**NOTHING, "run": "make", "task": "task.py"})
    with pytest.raises(ConfigError, match="without --run"):
        chosen([TEXT], NOTHING)
    with pytest.raises(ConfigError, match=r"nothing that can be evolved is installed$"):
        chosen([], {})


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("tests.console.nowhere:IT", "cannot be loaded"),
        ("tests.console.test_evolvable:NOTHING", "which is no Evolvable"),
        ("tests.console.test_evolvable:TEXT", "adds --minimize to `mendel evolve`, which another domain has"),
        ("tests.console.test_evolvable:FUNCTION", "names no option that chooses it"),
    ],
)
def test_one_that_cannot_be_used_or_told_apart_is_left_out_with_a_warning(monkeypatch, reference, told):
    own = DomainRegistration(name="own", title="", summary="", domain="x:y", evolve="tests.console.test_evolvable:OWN")
    text = replace(own, name="text", evolve="tests.console.test_evolvable:TEXT")
    odd = replace(own, name="odd", evolve=reference)
    monkeypatch.setattr(room, "registrations", lambda: iter((own, text, odd)))
    with capture_logs() as heard:
        assert len(evolvables()) == 2
    (warning,) = heard
    assert warning["domain"] == "odd"
    assert told in warning["error"]


def test_what_a_plan_raises_is_its_domain_s_bug(monkeypatch):
    odd = DomainRegistration(
        name="odd", title="", summary="", domain="x:y", evolve="tests.console.test_evolvable:RAISES"
    )
    monkeypatch.setattr(room, "registrations", lambda: iter((odd,)))
    (found,) = evolvables()
    assert list(found.options()) == ["cup"]
    with (
        capture_logs(),
        pytest.raises(DomainFailed, match=r'evolve` of the domain "odd" raised ZeroDivisionError; this'),
    ):
        found.planned(None, None, {"cup": 0})


def plan_cup(session, asked, *, cup: int = 1):
    """Fails for no cup."""
    return 1 / cup


RAISES = Evolvable(plan=plan_cup, help="", examples=(), idle="")
OWN = Evolvable(plan=lambda session, asked: None, help="", examples=(), idle="")
