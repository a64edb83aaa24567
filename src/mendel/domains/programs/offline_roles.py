"""The roles that this domain fills without a model: real edits of the program in a question.

It fills the mutator, whose question contains everything that an edit needs. It does not fill the repairer: repairs of
programs are questions to the mutator, and there is no question for a repairer to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

from mendel.bench.repairing import MENDERS
from mendel.breeding.catalogue import OPERATORS, in_turn
from mendel.breeding.code import Code, parsed
from mendel.breeding.operators import vary
from mendel.breeding.patches.answering import answer_of
from mendel.breeding.prompts.inputs import MutationPrompt
from mendel.breeding.prompts.reading import read_mutation
from mendel.breeding.regions import edits_outside
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.model_calls import Message

LIBRARY: Final = "the standard library"


async def mutator(messages: tuple[Message, ...]) -> str | None:
    """Return one edit of the program in the requested form; None if the messages hold none, or no edit is found.

    It depends on the messages alone, and so does every draw. Pieces come from the other programs in the question. Hot
    lines come first. If failures are shown, only operators that change behaviour are tried.
    """
    prompt = read_mutation(messages)
    if prompt is None:
        return None
    entropy = Entropy("offline", _digest(messages))
    for path in entropy.sample(tuple(prompt.files), len(prompt.files), "file"):
        edited = _edited(prompt, path, entropy.child(path))
        if edited is not None:
            return answer_of(prompt.files, {**prompt.files, path: edited}, prompt.form)
    return None


def _digest(messages: Sequence[Message]) -> str:
    digest = blake2b(digest_size=16)
    for message in messages:
        digest.update(message.model_dump_json().encode())
    return digest.hexdigest()


def _edited(prompt: MutationPrompt, path: str, entropy: Entropy) -> str | None:
    """Return the file after the first edit that stays within what may change."""
    try:
        view = _view(prompt, path)
    except SourceNotPython:
        return None
    names = entropy.sample(MENDERS, len(MENDERS), "menders") if prompt.failures else in_turn(entropy)
    for place, name in enumerate(names):
        made = vary(view, OPERATORS[name], entropy.child("vary", place))
        if made is not None and edits_outside(view.code, made.code, view.roots) is None:
            return made.code.text
    return None


def _view(prompt: MutationPrompt, path: str) -> View:
    code = parsed(prompt.files[path], path)
    roots = prompt.rules.free or tuple(name for name, _ in code.functions())
    heat = {} if prompt.failures else prompt.hot_lines.get(path, {})  # speed does not matter while answers are wrong
    packages = tuple(name for name in prompt.rules.imports or () if name != LIBRARY)
    return View(code, roots, tuple(_donors(prompt, path)), heat, packages)


def _donors(prompt: MutationPrompt, path: str) -> Iterator[Code]:
    for inspiration in prompt.inspirations:
        try:
            yield parsed(inspiration.files.get(path, ""), path)
        except SourceNotPython:
            continue
