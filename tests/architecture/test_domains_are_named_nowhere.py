"""Nothing outside a domain's own package names a domain: its registration is found by its entry point."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(
    r"domains\.(programs|texts)"
    r"|(projections|api|cli|settings)[./](programs|texts)"
    r'|"(programs|texts|ideas|tools|world)[."]'
)
OWN = re.compile(r"src/mendel/domains/\w+/|web/src/domains/\w+/")
TOOLS = r'"(research\.)?tools"'
ALLOWED = {
    "src/mendel/adapters/models/openai_wire.py": (r'body\["tools"\]', "a word of that wire"),
    "src/mendel/api/examples/": ("", "what a real server has answered, about runs of programs"),
    "src/mendel/bench/inputs/dice.py": (r'"programs\.inputs"', "a frozen key of draws: another would draw others"),
    "src/mendel/cli/guard_views.py": (r'"programs": \{', "a key of the gate's own JSON: what it compares"),
    "src/mendel/guard/prompt_files.py": (r'"texts"', "a kind of answer: several texts"),
    "src/mendel/guard/tasks/__init__.py": (r'/ "programs"$', "a folder of the gate's own tasks"),
    "src/mendel/ports/handlers.py": (TOOLS, "the port of research tools"),
    "src/mendel/ports/recording.py": (TOOLS, "the port of research tools"),
    "web/src/wire/schema.ts": ("", "generated from the document, which has the examples"),
    ".test.ts": ("", "a component is tried with the data of some domain"),
}
"""Where a line may name one (a folder, a file or the end of its name), what it then has, and why."""


def test_no_line_names_one_without_a_reason():
    listed = subprocess.run(["git", "ls-files", "src/mendel", "web/src"], cwd=ROOT, capture_output=True, text=True)
    naming = [
        (name, line.strip())
        for name in listed.stdout.splitlines()
        if not OWN.match(name)
        for line in (ROOT / name).read_text("utf-8", "replace").splitlines()
        if NAMED.search(line)
    ]
    reasons = [(each, place) for each in naming for place in ALLOWED if _allows(place, *each)]
    assert [each for each in naming if each not in dict(reasons)] == []
    assert [place for place in ALLOWED if place not in dict(reasons).values()] == []


def _allows(place: str, name: str, line: str) -> bool:
    there = name.removesuffix("x").endswith(place) if place.startswith(".") else name.startswith(place)
    return there and re.search(ALLOWED[place][0], line) is not None
