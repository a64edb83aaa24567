"""Commands that are imported when they are asked for: nothing shows it but the time."""

import re
import subprocess
import sys

from tests.support.rows import check_rows
from typer.main import get_command

from mendel.cli.main import app
from mendel.console.registered import COMMANDS, domain_commands

LATER = ("evolve", "report", "mutate", "step", "render", "guard")
HEAVY = (
    "mendel.domains.programs",
    "mendel.bench.planning",
    "mendel.bench.workbench",
    "mendel.kernel.domain",
    "mendel.kernel.conduct",
    "mendel.breeding",
    "mendel.guard",
    "mendel.projections.report",
    "numpy",
    "psycopg",
)


def test_they_are_listed_with_the_others(mendel):
    listed = mendel("--help")
    assert listed.code == 0
    for name in (*LATER, "run", "replay", "doctor"):
        assert f" {name} " in listed.out


@check_rows("name", LATER)
def test_they_say_what_they_are(mendel, name):
    for flag in ("-h", "--help"):
        told = mendel(name, flag)
        assert told.code == 0
        assert f" {name} [OPTIONS]" in told.out
        assert "--install-completion" not in told.out


def test_the_nearest_of_them_is_offered_for_a_name_that_there_is_not(mendel):
    refused = mendel("evlove")
    assert refused.code == 2
    assert "Did you mean 'evolve'?" in refused.err


def test_the_list_of_mendel_s_own_commands_is_whole():
    group = get_command(app)
    assert {*group.later, *group.commands} - set(domain_commands()) == COMMANDS


def test_no_help_loses_what_stands_in_brackets():
    group = get_command(app)
    with group.make_context("mendel", [], resilient_parsing=True) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            texts = [command.help, *(getattr(each, "help", None) for each in command.params)]
            assert not [text for text in texts if text and re.search(r"\[[a-z]", text)], name


def test_whoever_does_not_need_them_does_not_wait_for_them():
    script = f"import sys, mendel.cli.main; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_the_package_can_be_run_as_a_module():
    done = subprocess.run([sys.executable, "-m", "mendel", "version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("mendel ")
