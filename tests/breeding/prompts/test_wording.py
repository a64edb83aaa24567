"""Templates: those of the package, and a user's own in their place."""

import subprocess
import sys
from importlib.resources import files

import pytest

from mendel.breeding.prompts.checking import refuse_broken
from mendel.breeding.prompts.inputs import MutationPrompt
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.breeding.prompts.wording import NAMES, read_templates
from mendel.contracts.errors import ConfigError
from mendel.contracts.untrusted import FRAMING

PROMPT = MutationPrompt(language="Lua", files={"a.lua": "return 1\n"}, form="diff")


def test_the_package_has_every_template_and_they_make_prompts():
    folder = files("mendel.breeding.prompts").joinpath("templates")
    assert sorted(each.name for each in folder.iterdir()) == sorted(NAMES)


def test_a_template_of_the_users_takes_the_place_of_ours(tmp_path):
    (tmp_path / "mutation_system.j2").write_text("Golf in {{ language }}.\n{% include 'mine.j2' %}\n")
    (tmp_path / "mine.j2").write_text("{% include 'answer_' ~ form ~ '.j2' %}")
    (tmp_path / "answer_diff.j2").write_text("A diff, please.")
    messages = mutation_messages(PROMPT, templates=tmp_path)
    assert messages[0].content == f"Golf in Lua.\nA diff, please.\n\n{FRAMING}"
    assert messages[1:] == mutation_messages(PROMPT)[1:]
    refuse_broken(tmp_path)


def test_a_run_that_keeps_the_texts_needs_the_folder_no_more(tmp_path):
    (tmp_path / "mutation_ask.j2").write_text("Change it.{% include 'mine.j2' %}")
    (tmp_path / "mine.j2").write_text(" Please.")
    before, kept = mutation_messages(PROMPT, templates=tmp_path), read_templates(tmp_path)
    (tmp_path / "mine.j2").write_text(" At once.")
    assert mutation_messages(PROMPT, templates=kept) == before
    assert before[-1].content == "Change it. Please."
    assert set(NAMES) < set(kept)
    refuse_broken(kept)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a\n{% if %}", 2, "expression"),
        ("a\nb\n{{ rules }}", 3, "'rules' is undefined"),
        ("a\n{{ paths[7].name }}", 2, "no element 7"),
        ("a\n{{ 1 / 0 }}", 2, "division by zero"),
        ("a\n{% include '../secret.j2' %}", 2, "there is no template '../secret.j2'"),
        ("a\n{{ paths.__class__ }}", 2, "unsafe"),
    ],
)
@pytest.mark.parametrize("name", ["mutation_system.j2", "mutation_ask.j2"])
def test_a_broken_template_is_told_by_file_and_line(tmp_path, name, text, line, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as failed:
        refuse_broken(tmp_path)
    assert str(failed.value).startswith(f"{tmp_path / name}, line {line}: ")
    assert said in str(failed.value)


def test_a_broken_part_is_told_by_its_own_name(tmp_path):
    (tmp_path / "answer_replace.j2").write_text("a\n\n{{ nothing }}")
    assert mutation_messages(PROMPT, templates=tmp_path)
    with pytest.raises(ConfigError, match=r"answer_replace\.j2, line 3: 'nothing' is undefined"):
        refuse_broken(tmp_path)


def test_a_template_that_says_nothing_and_a_folder_without_one_are_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"has none of the templates.*mutation_system\.j2"):
        refuse_broken(tmp_path)
    with pytest.raises(ConfigError, match="has none of the templates"):
        refuse_broken(tmp_path / "nowhere")
    (tmp_path / "mutation_ask.j2").write_text("{# later #}\n")
    with pytest.raises(ConfigError, match="renders to an empty text"):
        refuse_broken(tmp_path)


def test_a_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "mutation_ask.j2").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"mutation_ask\.j2"):
        refuse_broken(tmp_path)


def test_whoever_asks_nobody_does_not_load_the_machinery_of_templates():
    code = "import mendel.breeding.prompts.checking, sys; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
