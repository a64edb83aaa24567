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
OWN = re.compile(r"src/mendel/domains/\w+/|web/src/domains/\w+/|.*\.test\.tsx?$")
ALLOWED = {
    "src/mendel/adapters/models/openai_wire.py": "`tools` is a word of that wire",
    "src/mendel/api/examples/": "what a real server has answered, about runs of programs",
    "src/mendel/bench/inputs/dice.py": "a frozen key of draws: another one would draw other inputs",
    "src/mendel/cli/guard_views.py": "a key of the gate's own JSON: the implementations that it compares",
    "src/mendel/guard/prompt_files.py": "a kind of answer: several texts",
    "src/mendel/guard/tasks/__init__.py": "a folder of the gate's own tasks",
    "src/mendel/ports/handlers.py": "the port of research tools",
    "src/mendel/ports/recording.py": "the port of research tools",
    "web/src/wire/schema.ts": "generated from the document, which has the examples",
}


def test_no_line_names_one_without_a_reason():
    listed = subprocess.run(["git", "ls-files", "src/mendel", "web/src"], cwd=ROOT, capture_output=True, text=True)
    naming = {
        name: line.strip()
        for name in listed.stdout.splitlines()
        if not OWN.match(name)
        for line in (ROOT / name).read_text("utf-8", "replace").splitlines()
        if NAMED.search(line)
    }
    allowed = {name for name in naming for prefix in ALLOWED if name.startswith(prefix)}
    assert {name: line for name, line in naming.items() if name not in allowed} == {}
    assert [prefix for prefix in ALLOWED if not any(name.startswith(prefix) for name in naming)] == []
