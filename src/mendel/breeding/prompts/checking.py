"""Whether a user's templates make prompts, asked before a run depends on it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mendel.breeding.patches.outcomes import FORMS, Form
from mendel.breeding.prompts.inputs import Case, Inspiration, MutationPrompt, Rules
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.breeding.prompts.wording import Templates, read_templates

_FULL: Final = Rules(signature="f(x)", free=("f",), kept=("g",), imports=("math",), others=("It stays short.",))
_MUCH: Final = 10_000_000


def refuse_broken(templates: Templates) -> None:
    """Make prompts of every form from the templates, full ones and bare ones, and drop them.

    Raises:
        ConfigError: a template is broken, or none is there; with file and line.
    """
    for form in FORMS:
        for prompt in _samples(form):
            mutation_messages(prompt, prompt_bytes=_MUCH, templates=templates)


def checked_templates(folder: Path) -> dict[str, str]:
    """The templates of a folder, by name, as a run keeps them: whole, and such that they make prompts.

    Raises:
        ConfigError: a template is broken, or none is there; with file and line.
    """
    refuse_broken(folder)
    return read_templates(folder)


def _samples(form: Form) -> tuple[MutationPrompt, MutationPrompt]:
    files = {"a.py": "def f(x):\n    return x\n"}
    full = MutationPrompt(
        language="Python",
        files={**files, "b.py": ""},
        form=form,
        function="f",
        rules=_FULL,
        inspirations=(Inspiration(files, {"speed": 1.0}),),
        examples=(Case("1", "1"),),
        failures=(Case("2", "2", "3"),),
        hot_lines={"a.py": {2: 1.0}},
    )
    return full, MutationPrompt(language="Python", files=files, form=form)
