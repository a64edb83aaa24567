"""What ``benchmarks evolve_rate`` rests on: one server that answers both sides, with another program every time."""

from __future__ import annotations

import pytest
from benchmarks.evolve_rate_server import LOOPING, MODEL, MODEL_WITH_LOOPERS, answer
from benchmarks.evolve_rate_task import PROGRAM, constant_in, edited

from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.prompts.inputs import Inspiration, MutationPrompt
from mendel.breeding.prompts.mutation import mutation_messages

PARENT = edited(PROGRAM, 7)
OTHERS = [edited(PROGRAM, number) for number in (11, 12)]


def ours():
    """As the gateway sends it: the program in a message of its own, others after it."""
    inspirations = tuple(Inspiration({"fitted.py": text}, {"fitness": -0.1}) for text in OTHERS)
    prompt = MutationPrompt(
        language="Python", files={"fitted.py": PARENT}, form="replace", function="line", inspirations=inspirations
    )
    return [each.content for each in mutation_messages(prompt)]


def theirs():
    """As the peer sends it: everything in one message, the program last."""
    return ["You are an expert.", "\n".join(["# Others", *OTHERS, "# Current program", PARENT, "# Task"])]


@pytest.mark.parametrize("messages", [ours(), theirs()])
def test_both_sides_get_another_constant_of_their_own_parent(messages):
    made = [apply_answer(answer(messages, MODEL), {"fitted.py": PARENT}, "replace") for _ in range(2)]
    texts = {each.files["fitted.py"] for each in made} | {PARENT}
    assert len(texts) == 3
    assert len({text.replace(constant_in(text), "") for text in texts}) == 1


def test_one_answer_in_so_many_never_ends_where_that_is_asked_for():
    said = [answer(ours(), MODEL_WITH_LOOPERS) for _ in range(3 * LOOPING)]
    looping = [apply_answer(each, {"fitted.py": PARENT}, "replace") for each in said if "while True" in each]
    assert len(looping) == 3
    assert all("while True" in each.files["fitted.py"] for each in looping)
    assert not any("while True" in answer(ours(), MODEL) for _ in range(LOOPING))
