"""Parse the messages of :mod:`mendel.breeding.prompts.mutation` for procedures that answer in place of a model.

The labels of data are fixed. The required form of the answer is recognised by the shipped template that describes it.
Other instructions are recognised by the wording of the shipped templates, and left out if the user's own differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mendel.breeding.patches.outcomes import FORMS, Form
from mendel.breeding.prompts.inputs import OBJECTIVE, Case, Inspiration, MutationPrompt, Rules
from mendel.breeding.prompts.wording import rendered
from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import BEGIN, unwrapped

PROGRAM: Final = re.compile(r"the program: (.+)")
HEAT: Final = re.compile(r"where its time goes: (.+)")
OTHER: Final = re.compile(r"another program, number ([0-9]+)(?: \(([^()]*)\))?: (.+)")
RIGHT: Final = re.compile(r"what is right, number [0-9]+")
WRONG: Final = re.compile(r"what it gets wrong, number [0-9]+")

_HOT_LINE: Final = re.compile(r"line ([0-9]+), ([0-9]+)%: .*", re.DOTALL)
_CASE: Final = re.compile(r"input: (.*?)\nexpected: (.*?)(?:\ngot: (.*))?", re.DOTALL)
_TASK: Final = re.compile(
    r"shown one program in (.+) and answer with a change\s+to it, so that it becomes a program that (.+)\.$", re.M
)
_FUNCTION: Final = re.compile(r"^The program is called through `(.*)`\.$", re.M)
_SAME: Final = re.compile(r"^- For every input it answers as before", re.M)
_SIGNATURE: Final = re.compile(r"^- The signature stays: `(.*)`\.$", re.M)
_FREE: Final = re.compile(r"^- Only these functions may change: (.+)\. Everything else stays", re.M)
_KEPT: Final = re.compile(r"^- These stay as they are, character for character: (.+)\.$", re.M)
_IMPORTS: Final = re.compile(r"^- What may be imported beside what is imported already: (.+)\.$", re.M)
_OTHERS: Final = re.compile(r"^- Comments that begin with .*\n((?:- .*\n)*?)- The program reads no file", re.M)

Data = list[tuple[str, str]]


def read_mutation(messages: Sequence[Message]) -> MutationPrompt | None:
    """Return the inputs of a mutation prompt; None if the messages are not one, or require an unknown form.

    Turned into messages again, they give the same prompt; parts that were left out, cut or rounded are not restored.
    """
    try:
        return _read(messages)
    except ValueError:  # the labels were not written by this package
        return None


def _read(messages: Sequence[Message]) -> MutationPrompt | None:
    system = "\n".join(message.content for message in messages if message.role == "system")
    data = list(_data(messages))
    files = {found[1]: text for found, text in _under(PROGRAM, data)}
    form = _form(system, tuple(files)) if files else None
    if form is None:
        return None
    language, objective = found.groups() if (found := _TASK.search(system)) else ("", OBJECTIVE)
    return MutationPrompt(
        language=language,
        files=files,
        form=form,
        function=_said(_FUNCTION, system),
        objective=objective,
        rules=_rules(system),
        inspirations=_inspirations(data),
        examples=tuple(_cases(RIGHT, data)),
        failures=tuple(_cases(WRONG, data)),
        hot_lines={found[1]: dict(_hot_lines(text)) for found, text in _under(HEAT, data)},
    )


# --- text written by candidates -----------------------------------------------------------------------------------


def _data(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Yield the label and the text of every data message."""
    for message in messages:
        try:
            text = unwrapped(message.content)
        except ValueError:
            continue
        yield message.content.partition("\n")[0].removeprefix(f"{BEGIN} "), text


def _under(label: re.Pattern[str], data: Data) -> Iterator[tuple[re.Match[str], str]]:
    for name, text in data:
        if found := label.fullmatch(name):
            yield found, text


def _inspirations(data: Data) -> tuple[Inspiration, ...]:
    files: dict[str, dict[str, str]] = {}
    gains: dict[str, dict[str, float]] = {}
    for found, text in _under(OTHER, data):
        number, told, path = found.groups()
        files.setdefault(number, {})[path] = text
        gains[number] = dict(_gain(each) for each in told.split(", ")) if told else {}
    return tuple(Inspiration(files[number], gains[number]) for number in files)


def _gain(told: str) -> tuple[str, float]:
    name, _, gain = told.rpartition(" ")
    return name, float(gain)


def _cases(label: re.Pattern[str], data: Data) -> Iterator[Case]:
    for _, text in _under(label, data):
        if found := _CASE.fullmatch(text):
            given, expected, got = (each and each.replace("\n  ", "\n") for each in found.groups())
            yield Case(given or "", expected or "", got)


def _hot_lines(text: str) -> Iterator[tuple[int, float]]:
    for line in text.split("\n"):
        if found := _HOT_LINE.fullmatch(line):
            yield int(found[1]), int(found[2]) / 100


# --- instructions from templates ----------------------------------------------------------------------------------


def _form(system: str, paths: tuple[str, ...]) -> Form | None:
    return next((form for form in FORMS if rendered(f"answer_{form}.j2", {"paths": paths}) in system), None)


def _rules(system: str) -> Rules:
    others = [line.removeprefix("- ") for line in _said(_OTHERS, system).splitlines() if not _IMPORTS.match(line)]
    imports = _said(_IMPORTS, system)
    return Rules(
        signature=_said(_SIGNATURE, system),
        free=_listed(_said(_FREE, system)),
        kept=_listed(_said(_KEPT, system)),
        imports=(() if imports == "nothing" else _listed(imports)) if imports else None,
        same_answers=_SAME.search(system) is not None,
        others=tuple(others),
    )


def _said(pattern: re.Pattern[str], system: str) -> str:
    found = pattern.search(system)
    return found[1] if found else ""


def _listed(names: str) -> tuple[str, ...]:
    return tuple(names.split(", ")) if names else ()
