"""The mutator without a model: what it answers applies, and follows from the question alone."""

from dataclasses import replace

from tests.support.rows import check_rows

from mendel.breeding.code import parsed
from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import FORMS, Patched
from mendel.breeding.prompts.inputs import Case, Inspiration, MutationPrompt, Rules
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.breeding.regions import edits_outside
from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import data_message
from mendel.domains.programs.offline_roles import mutator

SORT = '''"""Sorting."""


def sort(items: list[int]) -> list[int]:
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result


def other(number: int) -> int:
    return number + 1
'''
PROMPT = MutationPrompt(
    language="Python",
    files={"sort.py": SORT},
    form="diff",
    function="sort",
    rules=Rules(free=("sort",), imports=("the standard library",)),
    hot_lines={"sort.py": {8: 0.9}},
)
HELPER = "def twice(number):\n    total = number + number\n    return total\n"


def changed(answer, prompt):
    outcome = apply_answer(answer, prompt.files, prompt.form)
    assert isinstance(outcome, Patched), (outcome, answer)
    return outcome.files


@check_rows("form", FORMS)
async def test_it_changes_what_may_change_in_the_form_that_was_asked_for(form):
    for number in range(4):
        prompt = replace(PROMPT, form=form, examples=(Case(f"sort([{number}])", f"[{number}]"),))
        answer = await mutator(mutation_messages(prompt))
        assert answer is not None
        after = parsed(changed(answer, prompt)["sort.py"], "sort.py")
        assert after.text != SORT
        assert edits_outside(parsed(SORT, "sort.py"), after, ("sort",)) is None


async def test_the_same_question_has_the_same_answer_and_others_have_others():
    questions = [replace(PROMPT, examples=(Case(f"sort([{number}])", f"[{number}]"),)) for number in (1, 1, 2, 3, 4, 5)]
    answers = [await mutator(mutation_messages(each)) for each in questions]
    assert answers[0] == answers[1]
    assert len(set(answers)) > 2
    repair = (data_message("your answer", "?"), data_message("what is wrong with it", "- all"))
    again = {await mutator((*mutation_messages(each), *repair)) for each in questions}
    assert again != set(answers)


async def test_of_several_files_it_changes_one_that_is_python_and_borrows_from_others():
    files = {"sort.py": SORT, "helper.py": HELPER, "page.html": "<p>no Python</p>\n"}
    inspirations = (Inspiration({"sort.py": "def sort(items):\n    return sorted(items)\n", "helper.py": "broken("}),)
    for form in FORMS:
        prompt = replace(PROMPT, files=files, form=form, rules=Rules(free=("sort", "twice")), inspirations=inspirations)
        answer = await mutator(mutation_messages(prompt))
        assert answer is not None
        after = changed(answer, prompt)
        assert [path for path in files if after[path] != files[path]] in (["sort.py"], ["helper.py"])


async def test_shown_failures_it_changes_what_the_program_does():
    wrong = SORT.replace("len(result) - 1", "len(result) - 2")
    prompt = replace(PROMPT, files={"sort.py": wrong}, failures=(Case("sort([2, 1])", "[1, 2]", "[2, 1]"),))
    answers = {await mutator(mutation_messages(replace(prompt, objective=f"is right {number}"))) for number in range(4)}
    assert None not in answers
    assert len(answers) > 1


@check_rows(
    "messages",
    [
        (Message(role="user", content="Gregor Mendel counted 5474 peas. How many?"),),
        (data_message("the program: sort.py", SORT),),
        mutation_messages(replace(PROMPT, files={"sort.js": "let x = ;"})),
        mutation_messages(replace(PROMPT, files={"sort.py": "X = 1\n"})),
    ],
)
async def test_what_it_cannot_answer_it_declines(messages):
    assert await mutator(messages) is None
