"""Why programs are not dropped for being near: what the page on the port says, in small."""

from tests.breeding.corpus import CORPUS

from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.operators import vary
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy

BEFORE = "def f(x):\n    total = 0\n    for v in x:\n        total += v\n        total *= 2\n    return total\n"
AFTER = "def f(x):\n    total = 0\n    for v in x:\n        total *= 2\n        total += v\n    return total\n"


def run(source, *arguments):
    scope = {}
    exec(source, scope)
    return scope["f"](*arguments)


async def test_two_programs_that_differ_can_have_one_vector():
    one, other = await NgramEmbedder().embed([BEFORE, AFTER])
    assert one.values.tobytes() == other.values.tobytes()
    assert fingerprint(Code(BEFORE)) != fingerprint(Code(AFTER))
    assert run(BEFORE, [1, 2]) != run(AFTER, [1, 2])


async def test_a_changed_operator_is_nearer_than_a_renamed_helper():
    source = "def helper(v):\n    return v * 3 + 1\n\n\ndef f(x):\n    return [helper(v) for v in x if helper(v) > 2]\n"
    changed, renamed = source.replace("> 2", "< 2"), source.replace("helper", "scaled")
    assert run(source, [0, 1]) == run(renamed, [0, 1]) != run(changed, [0, 1])
    original, edit, looks = await NgramEmbedder().embed([source, changed, renamed])
    assert original.similarity(edit) > 0.9 > original.similarity(looks)


async def test_children_are_told_from_strangers():
    """What the embedder is good for: of one family or not."""
    originals = [Code(text) for text in list(CORPUS.values())[:24]]
    children = [_child(code) for code in originals]
    known = await NgramEmbedder().embed([code.text for code in originals])
    found = await NgramEmbedder().embed([code.text for code in children])
    nearest = [max(range(len(known)), key=lambda each: known[each].similarity(child)) for child in found]
    assert sum(number == best for number, best in enumerate(nearest)) >= 23


def _child(code):
    view = View(code, tuple(name for name, _ in code.functions()))
    tried = (vary(view, OPERATORS[name], Entropy(3, name)) for name in ("expression", "statement_replace", "constant"))
    return next(made.code for made in tried if made is not None)
