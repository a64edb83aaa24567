"""The brain that mends programs: what it says comes from the prompt's parent and cases, and is worse without them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.support.model_server import Turn, mender, trying
from tests.support.model_server.mender import Mender, WithoutCases, WithoutParent
from tests.support.rows import check_rows

from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import FORMS, Patched
from mendel.breeding.prompts.inputs import Case, MutationPrompt, Rules
from mendel.breeding.prompts.mutation import mutation_messages

PARENT = '''def {name}(items: list[int]) -> list[int]:
    """Sums up to each place."""
    made = []
    for place in range(len(items)):
        total = 0
        for item in items[: place + 1]:
            total = total + item
        for item in items:
            place = place + 0
        made.append(total + {more})
    return made
'''
GIVEN = ([4, -1, 3], [], [7], [2, 2, 9, -5, 1])


def parent(number):
    return PARENT.format(name="sums", more=number)


def cases(number):
    return [
        (f"({given!r},)", repr([sum(given[: place + 1]) + number for place in range(len(given))])) for given in GIVEN
    ]


def asked(number, form="rewrite", *, failing=False):
    shown = tuple(Case(f"sums{given[:-2]})", right, "0" if failing else None) for given, right in cases(number))
    prompt = MutationPrompt(
        language="Python",
        files={"sums.py": parent(number)},
        form=form,
        function="sums",
        rules=Rules(free=("sums",)),
        **{"failures" if failing else "examples": shown},
    )
    return [Turn(each.role, each.content) for each in mutation_messages(prompt)]


def answered(brain, number, form="rewrite"):
    text = brain.answer(asked(number, form), None, [])
    made = apply_answer(text, {"sums.py": parent(number)}, form, editable=("sums.py",))
    return made.files["sums.py"] if isinstance(made, Patched) else None


def tried(programs, given, function="sums"):
    asked_for = {"function": function, "programs": programs, "cases": given, "all": True}
    command = [sys.executable, "-I", trying.__file__]
    done = subprocess.run(command, input=json.dumps(asked_for), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@check_rows("form", FORMS)
def test_its_answers_apply_are_right_and_do_less(form):
    made = answered(Mender(), 3, form)
    before, after = tried([parent(3), made], cases(3))
    assert before[0] == after[0] == len(GIVEN)
    assert after[1] < before[1]


def test_without_the_cases_it_is_wrong_more_often_though_always_in_the_same_way():
    numbers = range(6)
    made = [answered(WithoutCases(), number) for number in numbers]
    right = sum(tried([each], cases(number))[0][0] for number, each in enumerate(made))
    assert right < len(numbers) * len(GIVEN)
    assert [answered(WithoutCases(), number) for number in numbers] == made


@check_rows("form", FORMS)
def test_without_the_parent_it_has_nothing_of_it_to_say(form):
    said = WithoutParent().answer(asked(3, form), None, [])
    assert not [line for line in parent(3).splitlines() if len(line) > 4 and line in said]
    made = answered(WithoutParent(), 3, form)
    assert made is None or tried([made], cases(3))[0] != [len(GIVEN)]


def test_failures_are_cases_and_then_the_parent_says_nothing_of_larger_ones():
    shown = mender.shown_in(asked(3, failing=True))
    assert shown.fails
    assert shown.calls == tuple((f"sums{given[:-2]})", right) for given, right in cases(3))
    assert mender.shown_in(asked(3)).calls == shown.calls


@pytest.mark.parametrize("text", ["", "What is it?"])
def test_what_is_no_such_question_gets_no_program(text):
    assert "```" not in Mender().answer([Turn("user", text)], None, [])


def test_programs_that_do_not_end_meddle_exit_or_do_not_load_are_counted_all_the_same():
    body = {
        "fine": "return [1]",
        "loops": "while True: pass",
        "meddles": "items.append(1)\n    return [1]",
        "hands_back": "items[:] = items\n    return items",
        "exits": "raise SystemExit",
        "raises": "raise ValueError",
    }
    programs = [f"def f(items):\n    {text}\n" for text in body.values()]
    given = [["([1],)", "[1]"], ["([2],)", None], ["([1],)", "ValueError is raised"]]
    found = tried([*programs, "def"], given, "f")
    right = dict(zip(body, (each[0] for each in found), strict=False))
    assert right == {"fine": 2, "loops": 0, "meddles": 0, "hands_back": 0, "exits": 0, "raises": 1}
    assert found[-1] == [0, sys.maxsize]
    assert found[0][1] < found[1][1] == sys.maxsize
