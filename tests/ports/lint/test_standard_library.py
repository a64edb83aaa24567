"""The policy is no nuisance: algorithms of the standard library pass as programs, and what does not has a reason."""

import ast
import importlib
from pathlib import Path

from tests.support.rows import check_rows

from mendel.ports.lint import lint

CLEAN = ["colorsys", "graphlib", "keyword", "numbers", "stringprep", "textwrap"]
MODULES = [
    *("heapq", "bisect", "statistics", "fractions", "difflib", "string", "random", "calendar", "_pydecimal", "html"),
    *("json.encoder", "json.decoder", "base64", "re._parser", "tomllib._parser", "ipaddress", "fnmatch", "shlex"),
]


def text_of(name):
    return Path(importlib.import_module(name).__file__).read_text(encoding="utf-8")


@check_rows("name", CLEAN)
def test_a_module_of_algorithms_passes(name):
    assert lint(text_of(name)) == ()


def test_nearly_every_function_passes():
    """What is left reads files, arguments or clocks, or reaches attributes by a name that is computed."""
    functions, refused = 0, []
    for name in MODULES:
        text = text_of(name)
        lines = {item.line for item in lint(text)}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                functions += 1
                if not lines.isdisjoint(range(node.lineno, node.end_lineno + 1)):
                    refused.append(f"{name}.{node.name}")
    assert functions > 700
    assert len(refused) / functions < 0.05, refused
