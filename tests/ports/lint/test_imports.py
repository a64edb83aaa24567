from tests.ports.lint.cases import found
from tests.support.rows import check_rows

from mendel.ports.lint import lint

IMPORT, ATTRIBUTE = "AST_IMPORT_FORBIDDEN", "AST_BANNED_ATTR"


@check_rows(
    ("source", "findings"),
    [
        ("import math, os", [(IMPORT, 1, 14)]),
        ("from os import path, sep", [(IMPORT, 1, 1)]),
        ("from math import *", [(IMPORT, 1, 18)]),
        ("from math import pi, _x", [(IMPORT, 1, 22)]),
        ("from .. import a", [(IMPORT, 1, 1)]),
        ("from collections import abc\nabc.Mapping", []),
        ("from collections import abc\nabc.sys", [(ATTRIBUTE, 2, 1)]),
        ("import collections\ncollections.abc.Mapping", []),
        ("import math\nx = math", [(ATTRIBUTE, 2, 5)]),
        ("import math\nmath.pi = 3", [(ATTRIBUTE, 2, 1)]),
        ("import math\ndel math", []),
        ("import math\ndef f(math): return math", []),
        ("import random as r\nx = r._os.system", [(ATTRIBUTE, 2, 5)]),
        ("import time", [(IMPORT, 1, 8)]),
        ("import warnings\nwarnings.catch_warnings", [(ATTRIBUTE, 2, 1)]),
    ],
)
def test_modules_of_a_program(source, findings):
    assert found(source) == findings


@check_rows(
    ("source", "findings"),
    [
        ("import os.path\nos.path.join", []),
        ("import os.path\nos.system", [(ATTRIBUTE, 2, 1)]),
        ("import os\nos.path.join", []),
        ("import urllib.parse\nurllib.parse.quote", []),
        ("import urllib.request", [(IMPORT, 1, 8)]),
        ("import sys\nsys.modules", [(ATTRIBUTE, 2, 1)]),
        ("import io\nio.open", []),
    ],
)
def test_modules_of_a_tool(source, findings):
    assert found(source, "tool") == findings


def test_the_hint_names_what_there_is():
    (finding,) = lint("import requests", allow_imports=["numpy"])
    assert "numpy" in finding.hint
    assert "math" in finding.hint


def test_a_grant_is_used_as_it_likes():
    assert found("import a.b\nx = a.b._c\nfrom a import b", allow_imports=["a.b"]) == []
