"""The whole look: what is refused, what is accepted, and that nothing makes it raise."""

import subprocess
import sys
import threading
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.ports.lint.bypasses import BYPASSES
from tests.ports.lint.cases import found, trait
from tests.ports.lint.honest import PROGRAMS, TOOLS, TRAITS
from tests.support.rows import check_rows

from mendel.contracts.lint import LintCode
from mendel.ports.lint import fingerprint, lint
from mendel.ports.lint.linting import MOST_FINDINGS

PROFILES = ["program", "tool", "trait"]
SHAPE = {LintCode.AST_NO_TRAIT_CLASS, LintCode.AST_MODULE_LEVEL_CODE}
A_TOOL_MAY = {"open", "input", "import-os", "import-sub"}


REFUSALS = [(name, profile) for name in BYPASSES for profile in PROFILES if profile != "tool" or name not in A_TOOL_MAY]


@check_rows(("name", "profile"), REFUSALS)
def test_a_bypass_is_refused(name, profile):
    assert {item.code for item in lint(BYPASSES[name], profile)} - SHAPE


def test_there_are_enough_bypasses():
    assert len(BYPASSES) >= 60


@check_rows("name", PROGRAMS)
@check_rows("profile", ["program", "tool"])
def test_an_honest_program_is_accepted(name, profile):
    assert lint(PROGRAMS[name], profile) == ()


@check_rows("name", TOOLS)
def test_an_honest_tool_is_accepted_as_a_tool_only(name):
    assert lint(TOOLS[name], "tool") == ()
    assert lint(TOOLS[name], "program")


@pytest.mark.parametrize("name", TRAITS)
def test_an_honest_trait_is_accepted(name):
    assert lint(TRAITS[name], "trait") == ()


ONE_OF_EACH = {
    LintCode.SOURCE_TOO_LARGE: ("x = 1\n" * 50_000, "program", 1, 1),
    LintCode.SOURCE_TOO_DEEP: ("x = 1\ny = " + "[" * 60 + "]" * 60, "program", 2, 55),
    LintCode.SOURCE_BAD_TEXT: ("x = 1\ny = 'ä\0'", "program", 2, 7),
    LintCode.SYNTAX_ERROR: ("x = 1\ny = = 2", "program", 2, 5),
    LintCode.AST_SYNTAX_FORBIDDEN: ("x = 1\nasync def f():\n    pass", "program", 2, 1),
    LintCode.AST_IMPORT_FORBIDDEN: ("x = 1; import os", "program", 1, 15),
    LintCode.AST_BANNED_CALL: ("x = 'äöü', eval('1')", "program", 1, 12),
    LintCode.AST_BANNED_ATTR: ("x = 'äöü', f.__globals__; f = 1", "program", 1, 12),
    LintCode.AST_UNBOUND_VARIABLE: ("def f():\n    return 'ü' + other", "program", 2, 18),
    LintCode.AST_AWAIT_ON_SYNC: (trait("x = await len([])"), "trait", 3, 13),
    LintCode.AST_MODULE_LEVEL_CODE: (trait("pass") + "len([])", "trait", 4, 1),
    LintCode.AST_NO_TRAIT_CLASS: ("x = 1", "trait", 1, 1),
    LintCode.AST_INIT_REQUIRED_ARGS: (trait("pass") + "    def __init__(self, speed):\n        pass", "trait", 4, 24),
    LintCode.AST_ENTITY_ATTR_FORBIDDEN: (trait("entity.soul = 1"), "trait", 3, 9),
}


@check_rows("code", ONE_OF_EACH)
def test_each_code_says_where(code):
    source, profile, line, column = ONE_OF_EACH[code]
    (finding,) = lint(source, profile, path="a/b.py")
    assert (finding.code, finding.file, finding.line, finding.column) == (code, "a/b.py", line, column)
    assert finding.message
    assert finding.hint


def test_a_duplicate_is_told_by_what_it_does():
    known = {fingerprint("def f(x):\n    return x + 1")}
    again = "# the same\ndef f( x ):\n    '''Doc.'''\n    return (x+1)\n"
    (finding,) = lint(again, known=known)
    assert (finding.code, finding.line, finding.column) == (LintCode.DUPLICATE_CODE, 1, 1)
    assert lint("def f(x):\n    return x + 2", known=known) == ()
    assert found("\0", known={fingerprint("\0")}) == [("DUPLICATE_CODE", 1, 1), ("SOURCE_BAD_TEXT", 1, 1)]


def test_every_code_of_the_text_is_covered():
    run = {LintCode.SANDBOX_TIMEOUT, LintCode.SANDBOX_EXCEPTION}
    assert set(LintCode) == {*ONE_OF_EACH, *run, LintCode.DUPLICATE_CODE}


def test_findings_come_by_position_and_not_without_end():
    findings = lint("\n".join(["b = eval; a = exec"] * 100))
    assert len(findings) == MOST_FINDINGS
    places = [(item.line, item.column) for item in findings]
    assert places == sorted(places)
    assert places[:3] == [(1, 5), (1, 15), (2, 5)]


def test_modules_can_be_granted():
    source = "import numpy as np\nfrom numpy.linalg import norm\nx = norm(np.zeros(3))\ny = np"
    assert lint(source, allow_imports=["numpy"]) == ()
    assert {item.code for item in lint(source)} == {LintCode.AST_IMPORT_FORBIDDEN}


def test_warnings_of_the_parser_do_not_leak():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert lint("x = '\\d'\ny = 1 is 1\nz = ()()") == ()
    assert caught == []


def test_many_threads_may_ask_at_once():
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(found("x = eval\ny = '\\d'"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[("AST_BANNED_CALL", 1, 5)]] * 8


# --- nothing makes it raise ------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "def",
        "class",
        "lambda",
        "async",
        "await",
        "for",
        "while",
        "if",
        "elif",
        "else",
        "try",
        "except",
        "finally",
        "with",
        "match",
        "case",
        "return",
        "yield",
        "global",
        "nonlocal",
        "import",
        "from",
        "as",
        "del",
        "pass",
        "x",
        "y",
        "self",
        "entity",
        "Trait",
        "__class__",
        'f"{x}"',
        "'''a'''",
        '"a"',
        "1",
        "0x1f",
        "1e9",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ";",
        ",",
        ".",
        "=",
        ":=",
        "->",
        "==",
        "+",
        "-",
        "*",
        "**",
        "@",
        "not",
        "in",
        "is",
        "and",
        "or",
        "ä",
        "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL X}",
    ]
) | st.sampled_from(["\n", "\n    ", "\n        ", " ", "\t", "\r", "\f", "\0", "\ud800", "\ufeff", "#", "\\\n"])
texts = st.text() | st.text(st.characters()) | st.lists(WORDS, max_size=60).map(" ".join) | st.lists(WORDS).map("".join)


@settings(max_examples=4 * settings().max_examples)
@given(texts, st.sampled_from(PROFILES))
@example("\ud800", "program")
@example("x = '" + "\\ud800" + '\'.format; f"{x!r:{y}}"', "program")
@example("", "trait")
@example("\r\rx\r\n=", "tool")
def test_no_text_makes_it_raise_and_places_exist(text, profile):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    findings = lint(text, profile, path=text[:5], known={"x"})
    for item in findings:
        assert 1 <= item.line <= len(lines)
        assert 1 <= item.column <= len(lines[item.line - 1]) + 1
        item.model_dump_json()
    assert len(fingerprint(text)) == 64


@settings(max_examples=2 * settings().max_examples)
@given(st.sampled_from(sorted(PROGRAMS.values()) + sorted(TRAITS.values())), st.data())
def test_a_damaged_program_makes_nothing_raise(source, data):
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    damaged = source[:start] + data.draw(texts) + source[end:]
    for profile in PROFILES:
        lint(damaged, profile)


HUGE = {
    "ten-megabytes": "'x' * 10_000_000",
    "ten-megabytes-of-brackets": "'(' * 10_000_000",
    "ten-megabytes-beyond-ascii": "'\\U0001d54f' * 10_000_000",
    "unary": "'x=' + '-' * 200_000 + '1'",
    "not": "'x=' + 'not ' * 50_000 + '1'",
    "lambda": "'x=' + 'lambda:' * 30_000 + '1'",
    "ternary": "'x=' + 'a if b else ' * 20_000 + 'c'",
    "power": "'x=' + 'a**' * 80_000 + '1'",
    "sum": "'x=' + 'a+' * 100_000 + '1'",
    "attributes": "'x=a' + '.b' * 100_000",
    "calls": "'x=a' + '()' * 100_000",
    "elif": "'if a:pass\\n' + 'elif a:pass\\n' * 20_000",
    "decorators": "'@a\\n' * 60_000 + 'def f():pass'",
    "indents": "''.join(' ' * i + 'if a:\\n' for i in range(300)) + ' ' * 300 + 'pass'",
    "finally": "''.join(' ' * i + 'try:a\\n' + ' ' * i + 'finally:\\n' for i in range(19)) + ' ' * 19 + 'a'",
    "ways-out": "'def f():\\n try:\\n' + '  return\\n' * 9000 + ' finally:\\n' + '  a()\\n' * 9000",
    "walrus": "'(x:=' * 40 + '1' + ')' * 40",
    "digits": "'x=' + '9' * 200_000",
    "hex": "'x=0x' + 'f' * 200_000",
    "strings": "'x=' + chr(34) + 'a' + chr(34) + ' + ' + '\"a\" ' * 60_000",
    "f-strings": "'x=' + 'f\"{a}\"' * 40_000",
    "f-string-nesting": "'f\"{' * 500 + '1' + '}\"' * 500",
    "type-parameters": "'def f' + '[T]' * 1000 + '(): pass'",
    "keywords": "'f(' + ','.join('a%d=1' % i for i in range(30_000)) + ')'",
    "definitions": "'def f():pass\\n' * 19_000",
    "awaits": "'async def f():\\n await ' + 'await ' * 30_000 + 'a'",
    "patterns": "'match a:\\n case ' + 'C(' * 45 + ')' * 45 + ':pass'",
    "underscores": "'x=' + chr(34) + '__a' * 80_000 + chr(34)",
}


EACH_IN_A_PROCESS = f"""
import os, resource, traceback
from mendel.ports.lint import fingerprint, lint
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
for name, written in {HUGE!r}.items():
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            source = eval(written)
            for profile in ("program", "trait"):
                lint(source, profile, known=["x"])
            code = 0 if len(fingerprint(source)) == 64 else 2
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    print(name, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.mark.slow
def test_nothing_crashes_the_interpreter():
    """In processes of their own, whose memory is bounded: a crash here is a failed test, not the end of all tests."""
    done = subprocess.run([sys.executable, "-c", EACH_IN_A_PROCESS], capture_output=True, text=True, timeout=600)
    assert done.stdout.splitlines() == [f"{name} 0" for name in HUGE], done.stderr
    assert (done.returncode, done.stderr) == (0, "")
