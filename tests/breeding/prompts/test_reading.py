"""What a question for a changed program was made of, read back from its messages."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.breeding.patches.lines import lines_of
from mendel.breeding.patches.outcomes import FORMS
from mendel.breeding.prompts.inputs import Case, Inspiration, MutationPrompt, Rules
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.breeding.prompts.reading import read_mutation
from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import BEGIN, END, data_message

NAMES = st.from_regex(r"[a-z_]{1,8}(\.[a-z]{1,4})?", fullmatch=True)
TUPLES = st.lists(NAMES, max_size=3, unique=True).map(tuple)
SENTENCES = st.sampled_from(["It stays short.", "Keep `x`: it is used.", "No recursion", "- not (even) this"])
PATHS = st.sampled_from(["a.py", "b/c.js", "with: colon.py", "d e.py"])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            f"{END}\n{BEGIN} the program: a.py\nx",
            "input: 1\nexpected: 2\ngot: 3",
            "line 1, 50%: x",
            "- The signature stays: `f()`.\n```\n",
        ]
    ),
)
FILES = st.dictionaries(PATHS, TEXTS, min_size=1, max_size=3)
CASES = st.builds(Case, TEXTS, TEXTS, st.one_of(st.none(), st.text(min_size=390, max_size=420), TEXTS))
GAINS = st.dictionaries(st.sampled_from(["speed", "size", "fitness"]), st.floats(-99, 99), max_size=2)
RULES = st.builds(
    Rules,
    signature=st.sampled_from(["", "f(x: int = 1) -> list[int]"]),
    free=TUPLES,
    kept=TUPLES,
    imports=st.one_of(st.none(), TUPLES, st.just(("the standard library", "numpy"))),
    same_answers=st.booleans(),
    others=st.lists(SENTENCES, max_size=2).map(tuple),
)


@st.composite
def prompts(draw):
    files = draw(FILES)
    hot = {
        path: draw(st.dictionaries(st.integers(1, len(lines_of(text))), st.floats(0.01, 1.0), max_size=12))
        for path, text in files.items()
        if text
    }
    return MutationPrompt(
        language=draw(st.sampled_from(["Python", "C++", "a language and more"])),
        files=files,
        form=draw(st.sampled_from(FORMS)),
        function=draw(st.one_of(st.just(""), NAMES)),
        objective=draw(st.sampled_from(["takes less memory", "is right. And short"])),
        rules=draw(RULES),
        inspirations=tuple(draw(st.lists(st.builds(Inspiration, FILES, GAINS), max_size=2))),
        examples=tuple(draw(st.lists(CASES, max_size=2))),
        failures=tuple(draw(st.lists(CASES, max_size=2))),
        hot_lines=hot,
    )


@given(prompts())
def test_what_is_read_makes_the_same_messages_again(prompt):
    messages = mutation_messages(prompt, prompt_bytes=10**7)
    found = read_mutation(messages)
    assert found is not None
    assert mutation_messages(found, prompt_bytes=10**7) == messages
    assert (found.form, found.function, found.rules.free) == (prompt.form, prompt.function, prompt.rules.free)
    assert list(found.files) == list(prompt.files)


SOURCE = "def total(values):\n    return sum(values)\n"
PLAIN = MutationPrompt(
    language="Python",
    files={"total.py": SOURCE, "other.py": "X = 1"},
    form="replace",
    function="total",
    rules=Rules(free=("total",), imports=()),
    inspirations=(Inspiration({"total.py": "total = sum\n"}, {"speed": 1.5}), Inspiration({"other.py": ""})),
    examples=(Case("total([7])", "7"),),
    failures=(Case("total([])", "0", "TypeError\nis raised"),),
    hot_lines={"total.py": {2: 0.75}},
)


@check_rows("form", FORMS)
def test_what_is_short_and_plain_is_read_as_it_was(form):
    prompt = replace(PLAIN, form=form)
    assert read_mutation(mutation_messages(prompt)) == prompt


def test_a_repair_is_the_same_question_with_more_said():
    said = (data_message("your answer", SOURCE), data_message("what is wrong with it", "- all of it"))
    messages = (*mutation_messages(PLAIN), *said, Message(role="user", content="Answer again."))
    assert read_mutation(messages) == PLAIN


def test_words_of_the_users_own_leave_out_what_only_words_say(tmp_path):
    (tmp_path / "mutation_system.j2").write_text('Better, please.\n{% include "answer_" ~ form ~ ".j2" %}\n')
    found = read_mutation(mutation_messages(PLAIN, templates=tmp_path))
    assert found is not None
    assert (found.files, found.form, found.failures) == (PLAIN.files, PLAIN.form, PLAIN.failures)
    assert (found.function, found.rules.free) == ("", ())
    (tmp_path / "answer_replace.j2").write_text("Answer in verse.\n")
    (tmp_path / "mutation_system.j2").unlink()
    assert read_mutation(mutation_messages(PLAIN, templates=_fresh(tmp_path))) is None


def _fresh(folder):
    """The same folder under a name that nobody has read templates from."""
    return folder.rename(folder.with_name(folder.name + "_again"))


LABELS = st.sampled_from(
    ["the program: a.py", "another program, number 1 (x): b", "what is right, number 1", "where its time goes: a"]
)
ROLES = st.sampled_from(["system", "user", "assistant"])


@given(
    st.lists(
        st.one_of(
            st.builds(Message, role=ROLES, content=st.text(max_size=40)),
            st.builds(data_message, LABELS, st.text(max_size=40)),
            st.sampled_from(mutation_messages(PLAIN)),
        ),
        max_size=6,
    )
)
def test_other_messages_are_no_question_and_never_an_error(messages):
    found = read_mutation(messages)
    assert found is None or found.files
