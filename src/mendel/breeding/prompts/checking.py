"""Check that a user's templates produce prompts, before a run depends on them."""

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
    """Render a full and a minimal prompt of every form from the templates, and discard them.

    Raises:
        ConfigError: a template is broken, or there is none; with file and line.
    """
    for form in FORMS:
        for prompt in _samples(form):
            mutation_messages(prompt, prompt_bytes=_MUCH, templates=templates)


def checked_templates(folder: Path) -> dict[str, str]:
    """Return a folder's templates by name, as a run stores them: the complete set, known to produce prompts.

    Raises:
        ConfigError: a template is broken, or there is none; with file and line.
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
