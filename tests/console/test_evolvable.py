"""What domains add to `mendel evolve`: which of them is meant, and one that cannot be used is left out."""

from dataclasses import replace
from typing import Annotated

import pytest
import typer
from structlog.testing import capture_logs

from mendel.cli.evolving import evolve
from mendel.cli.stepping import step
from mendel.console import evolvable as room
from mendel.console.evolvable import OWN_OPTIONS, Evolvable, chosen, evolvables
from mendel.console.registered import made_command
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
    with pytest.raises(ConfigError, match="--run and --task exclude each other"):
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
        ("tests.console.test_evolvable:TEXT", "adds --minimize to `mendel evolve`, which already has one"),
        ("tests.console.test_evolvable:FUNCTION", "names no option that chooses it"),
        ("tests.console.test_evolvable:SEEDS", "adds --seed to `mendel evolve`, which already has one"),
        ("tests.console.test_evolvable:COMPARES", "adds compare to `mendel evolve`, which already has one"),
        ("tests.console.test_evolvable:UNKNOWN", "with options that Typer does not take: NameError"),
        ("tests.console.test_evolvable:EITHER", "with options that Typer does not take: AssertionError"),
        ("tests.console.test_evolvable:NEEDED", "whose cup is not an option with a default"),
        ("tests.console.test_evolvable:ARGUMENT", "whose cup is not an option with a default"),
        ("tests.console.test_evolvable:ELSEWHERE", "that is chosen by pot, which is not one of its options"),
        ("tests.console.test_evolvable:NUMBER", "with options that Typer does not take: TypeError"),
        ("tests.console.test_evolvable:UNTOLD", "whose help and examples are not texts"),
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


def plan_seed(session, asked, *, cup: Annotated[int | None, typer.Option("--seed")] = None):
    """Has a flag of Mendel's own."""


def plan_compare(session, asked, *, compare: Annotated[int | None, typer.Option("--beside")] = None, cup: int = 1):
    """Has a parameter of Mendel's own."""


def plan_unknown(session, asked, *, cup: "Cup" = None):  # noqa: F821 - on purpose
    """Has a type that there is not."""


def plan_either(session, asked, *, cup: int | str = 1):
    """Has a type that Typer does not know."""


def plan_needed(session, asked, *, cup: int):
    """Needs its option."""


def plan_argument(session, asked, *, cup: Annotated[int, typer.Argument()] = 1):
    """Wants a place on the command line."""


def evolvable(plan, **more):
    return Evolvable(**{"plan": plan, "help": "", "examples": (), "idle": "", "chosen_by": "cup", **more})


SEEDS, COMPARES, UNKNOWN = evolvable(plan_seed), evolvable(plan_compare), evolvable(plan_unknown)
EITHER, NEEDED, ARGUMENT = evolvable(plan_either), evolvable(plan_needed), evolvable(plan_argument)
ELSEWHERE, NUMBER = evolvable(plan_cup, chosen_by="pot"), evolvable(5)
UNTOLD = evolvable(plan_cup, examples=(None,))
RAISES = Evolvable(plan=plan_cup, help="", examples=(), idle="")
OWN = Evolvable(plan=lambda session, asked: None, help="", examples=(), idle="")


def test_the_list_of_mendel_s_own_options_is_whole():
    added = {name for each in evolvables() for name in each.options()}
    own = [each for command in (evolve, step) for each in made_command(command).params if each.name not in added]
    names = {name for each in own for name in (each.name, *each.opts, *each.secondary_opts)}
    assert names | {"--help", "-h"} == OWN_OPTIONS
