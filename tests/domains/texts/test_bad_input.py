"""Whatever cannot be a task is refused by name, with what to do."""

import shutil
from pathlib import Path

import pytest
from tests.domains.texts.making import SUM, draft, prepared
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, OracleUnfit

PRINTS = "BEGIN { print 1 }\n"


@pytest.mark.slow
@check_rows(
    ("text", "options", "told"),
    [
        ("BEGIN { exit 4 }\n", {}, "`awk -f sum.awk` fails on the original with MENDEL_SEED="),
        ("BEGIN { exit 4 }\n", {}, ": exit status 4"),
        ('BEGIN { print "oh" > "/dev/stderr"; exit 1 }\n', {}, "exit status 1; oh"),
        ("BEGIN { while (1) x++ }\n", {"case_s": 0.3}, "has not ended after 0.3 s"),
        (PRINTS, {"run": "no-such-command sum.awk"}, "not found; the sandbox contains sum.awk, under these names"),
        ('BEGIN { "date +%N" | getline now; print now }\n', {}, "take randomness from the environment variable"),
        ("BEGIN { }\n", {}, "prints nothing"),
        (PRINTS, {"held_run": "exit 5"}, "`exit 5` fails on the original with MENDEL_SEED="),
        ('BEGIN { printf "%c", 200 }\n', {"run": "LC_ALL=C awk -f sum.awk"}, "prints output that is not UTF-8 text"),
        (PRINTS, {"score": "cat >/dev/null; echo none"}, "--score has no number for the original"),
        (PRINTS, {"score": "cat >/dev/null; echo nan"}, "its last line must be a number, such as 12.5, and not nan"),
        (PRINTS, {"score": "exit 9"}, "cannot be scored: exit status 9"),
        (PRINTS, {"score": "cat >/dev/null; date +%N"}, "the score of the original changes when it is run twice"),
    ],
)
def test_an_original_that_cannot_say_what_is_right_is_refused(native, text, options, told):
    with pytest.raises(OracleUnfit) as refused:
        prepared(native, text, **options)
    assert told in str(refused.value)


@check_rows(
    ("options", "told"),
    [
        ({"objective": "memory"}, "with --run the objective is speed or score, not 'memory'"),
        ({"objective": "score"}, "--objective score needs --score CMD"),
        ({"objective": "speed", "score": "cat"}, "--objective speed goes by what the original prints"),
        ({"score": "awk -f sum.awk"}, "--score names sum.awk, which may change"),
        ({"run": "  "}, "--run is a command, such as"),
        ({"name": "a b.awk"}, "'a b.awk' has characters not allowed in the sandbox"),
        ({"name": "mendel_command.py"}, "rename yours"),
        ({"run": "KEY=sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyzABCD awk -f sum.awk"}, "looks like a secret"),
        ({"text": "BEGIN { }\n# mendel: end\n"}, "sum.awk, line 2: `mendel: end` without"),
    ],
)
def test_what_reading_tells_is_refused_before_anything_runs(options, told):
    with pytest.raises(ConfigError) as refused:
        draft(**options)
    assert told in str(refused.value)


@check_rows(
    ("data", "told"),
    [(b"\xff\xfe", "not UTF-8 text"), (b"a\0b", "not text: it has a NUL at character 1"), (None, "cannot be read")],
)
def test_a_file_that_is_no_text_is_refused(data, told):
    name = "data.txt"
    Path(name).unlink(missing_ok=True)
    if data is not None:
        Path(name).write_bytes(data)
    with pytest.raises(ConfigError, match=told):
        draft(more=(Path(name),))


def test_files_that_commands_name_travel_with_those_who_need_them():
    for name in ("list.txt", "large.txt", "rate.awk"):
        Path(name).write_text("1\n")
    Path("made").write_bytes(b"\xff")
    task = draft(run="awk -f sum.awk list.txt && ./made", held_run="awk -f sum.awk large.txt", score="awk -f rate.awk")
    assert set(task.files) == {"sum.awk", "list.txt"}
    assert set(task.held_files) == {"large.txt"}
    assert set(task.score_files) == {"rate.awk"}
    assert (task.editable, task.language, task.objective) == (("sum.awk",), "AWK", "score")


def test_an_original_that_can_is_measured(native):
    task = prepared(native, SUM)
    assert task.seeded
    assert task.reference is not None
    assert (task.objective, task.margin) == ("speed", 0.02)
    fixed = prepared(native, PRINTS, score="cat", maximize=False)
    assert (fixed.seeded, fixed.stands_at) == (False, -1.0)


@pytest.mark.parametrize(
    ("command", "name", "text", "run"),
    [
        ("node", "one.js", "console.log(process.env.MENDEL_SEED % 1 + 3);\n", "node one.js"),
        ("gcc", "one.c", '#include <stdio.h>\nint main(void) { puts("3"); }\n', "gcc -o one one.c && ./one"),
        ("sh", "one.sh", "test $1 = $MENDEL_SEED && echo 3\n", "sh one.sh {seed}"),
    ],
)
def test_other_languages_run_behind_the_wall(native, command, name, text, run):
    if shutil.which(command) is None:
        pytest.skip(f"no {command} here")
    task = prepared(native, text, name, run=run, score="cat")
    assert (task.stands_at, task.seeded) == (3.0, False)
