"""The messages of a mutation prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from mendel.breeding.patches.lines import content, lines_of
from mendel.breeding.prompts.inputs import Case, Inspiration, MutationPrompt
from mendel.breeding.prompts.sizes import data, size_of
from mendel.breeding.prompts.wording import ASK, SYSTEM, Templates, rendered
from mendel.contracts.model_calls import CallLimits, Message
from mendel.contracts.untrusted import FRAMING

PROMPT_BYTES: Final = CallLimits().prompt_bytes
MOST_HOT_LINES: Final = 10
_LEAST_SHARE: Final = 0.01
_LONGEST: Final = 400
"""Maximum number of characters of a case's value; more would not help the model."""


def mutation_messages(
    prompt: MutationPrompt, *, prompt_bytes: int = PROMPT_BYTES, templates: Templates | None = None
) -> tuple[Message, ...]:
    """Return a system message, then each text written by candidates as a data message, then the question.

    If that is too large, inspirations are left out, then examples, then failures, in each case the last ones first.

    Raises:
        ValueError: the prompt is too large even without them.
        ConfigError: a template is broken; with file and line.
    """
    size = 0
    for lesser in _lesser(prompt):
        messages = _messages(lesser, templates)
        size = size_of(messages)
        if size <= prompt_bytes:
            return messages
    raise ValueError(
        f"the prompt for {', '.join(prompt.files)} has {size:,} bytes without its optional parts; at most"
        f" {prompt_bytes:,} are allowed: shorten the files, or raise the role's limit prompt_bytes"
    )


def template_values(prompt: MutationPrompt) -> dict[str, object]:
    """Return all values that templates receive; none of them was written by a candidate."""
    rules = prompt.rules
    return {
        "language": prompt.language,
        "paths": tuple(prompt.files),
        "form": prompt.form,
        "function": prompt.function,
        "objective": prompt.objective,
        "signature": rules.signature,
        "free": rules.free,
        "kept": rules.kept,
        "imports": rules.imports,
        "same_answers": rules.same_answers,
        "others": rules.others,
        "inspirations": len(prompt.inspirations),
        "examples": len(prompt.examples),
        "failures": len(prompt.failures),
        "hot": any(_hottest(lines) for lines in prompt.hot_lines.values()),
    }


def _messages(prompt: MutationPrompt, templates: Templates | None) -> tuple[Message, ...]:
    values = template_values(prompt)
    system = f"{rendered(SYSTEM, values, templates)}\n\n{FRAMING}"
    return (
        Message(role="system", content=system),
        *_data(prompt),
        Message(role="user", content=rendered(ASK, values, templates)),
    )


def _lesser(prompt: MutationPrompt) -> Iterator[MutationPrompt]:
    """Yield the prompt, then versions with fewer and fewer optional parts."""
    yield prompt
    for number in reversed(range(len(prompt.inspirations))):
        yield replace(prompt, inspirations=prompt.inspirations[:number])
    for number in reversed(range(len(prompt.examples))):
        yield replace(prompt, inspirations=(), examples=prompt.examples[:number])
    for number in reversed(range(len(prompt.failures))):
        yield replace(prompt, inspirations=(), examples=(), failures=prompt.failures[:number])


# --- text written by candidates -----------------------------------------------------------------------------------


def _data(prompt: MutationPrompt) -> Iterator[Message]:
    for path, text in prompt.files.items():
        yield data(f"the program: {path}", text)
    for path, shares in prompt.hot_lines.items():
        told = _heat(prompt.files.get(path, ""), shares)
        if told:
            yield data(f"where its time goes: {path}", told)
    for number, inspiration in enumerate(prompt.inspirations, 1):
        for path, text in inspiration.files.items():
            yield data(f"another program, number {number}{_gains(inspiration)}: {path}", text)
    for number, case in enumerate(prompt.examples, 1):
        yield data(f"what is right, number {number}", _case(case))
    for number, case in enumerate(prompt.failures, 1):
        yield data(f"what it gets wrong, number {number}", _case(case))


def _gains(inspiration: Inspiration) -> str:
    told = ", ".join(f"{name} {gain:+.2f}" for name, gain in inspiration.gains.items())
    return f" ({told})" if told else ""


def _heat(text: str, shares: Mapping[int, float]) -> str:
    """Return the hottest lines in file order, each with its share and its text."""
    lines = lines_of(text)
    told = ((number, shares[number]) for number in sorted(_hottest(shares)) if 0 < number <= len(lines))
    return "\n".join(f"line {number}, {share:.0%}: {content(lines[number - 1]).strip()}" for number, share in told)


def _hottest(shares: Mapping[int, float]) -> list[int]:
    ranked = sorted(shares, key=lambda number: (-shares[number], number))
    return [number for number in ranked[:MOST_HOT_LINES] if shares[number] >= _LEAST_SHARE]


def _case(case: Case) -> str:
    parts = {"input": case.given, "expected": case.expected, "got": case.got}
    return "\n".join(f"{name}: {_short(text)}" for name, text in parts.items() if text is not None)


def _short(text: str) -> str:
    """Shorten a value, and indent its further lines so that none can pass for the next value."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return shown.replace("\r", "\n").replace("\n", "\n  ")
