"""What a reviewer would say again and again. The lists of exceptions only ever shrink."""

import ast
import importlib
import pkgutil
import re
import subprocess
import types
from pathlib import Path

import pytest
from tests.support.rows import check_rows

import mendel

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "mendel"
LONGEST_FILE = 700

LONG_FILES_ALLOWED = {
    "requirements/dev.txt",
    "requirements/core.txt",
    "web/package-lock.json",
    "web/openapi.json",
    "web/src/wire/schema.ts",
}
PRINT_ALLOWED: set[str] = set()
BROAD_EXCEPT_ALLOWED: set[str] = set()
_MIGRATIONS = "adapters/postgres/migrations/versions"
NO_DOCSTRING_ALLOWED = {f"{_MIGRATIONS}/0001_log.py"}  # its name says it

# Spelled in pieces, so that this file does not hold what it forbids.
REGISTRY_HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com", "yarn" + "pkg.com"]
REGISTRY_HOSTS += ["conda" + ".anaconda.org", "files.python" + "hosted", "npm" + "mirror.com"]
HOMES = re.compile(r"(?:/ho" + r"me/|/Us" + r"ers/)[A-Za-z0-9_.-]+|/ro" + r"ot/[A-Za-z0-9_.]")
# To leave an index out of a lock file, or to ask pip for the one it is configured for, names none.
INDEX = re.compile(r"(?<!no-emit-)(?<!emit-)(?<!pip config get global\.)(?:extra-)?index" + r"[-_]url")


@pytest.fixture(scope="module")
def modules() -> dict[str, tuple[str, ast.Module]]:
    """The text of every module of the library, and its tree."""
    texts = {name_of(path): path.read_text() for path in sorted(SOURCE.rglob("*.py"))}
    return {name: (text, ast.parse(text)) for name, text in texts.items()}


def tracked_files() -> list[Path]:
    """Every file of text that git tracks, or would if it were added; an unpacked archive has no git to ask."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:8_000]]


def offenders(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in tracked_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    return found


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


# --- what is in no file ------------------------------------------------------------------------------------------


def test_no_file_names_a_home_directory():
    assert offenders(HOMES) == []


def test_no_file_names_the_host_of_a_package_registry():
    assert offenders(re.compile("|".join(map(re.escape, REGISTRY_HOSTS)))) == []


def test_no_file_names_an_index():
    assert offenders(INDEX) == []


def test_no_file_is_too_long_to_be_read():
    long = {
        str(path.relative_to(ROOT)) for path in tracked_files() if len(path.read_bytes().splitlines()) > LONGEST_FILE
    }
    assert long == LONG_FILES_ALLOWED & long
    assert long >= {name for name in LONG_FILES_ALLOWED if (ROOT / name).exists()}, "the list of exceptions can shrink"


@check_rows(
    ("pattern", "line"),
    [
        (HOMES, "/ho" + "me/somebody/project"),
        (HOMES, "/Us" + "ers/somebody"),
        (HOMES, "cd /ro" + "ot/x"),
        (INDEX, "--index" + "-url https://x"),
        (INDEX, "extra_index" + "_url = 1"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern, line):
    assert pattern.search(line)


def test_the_patterns_leave_the_rest_alone():
    assert not INDEX.search("--no-emit-index" + "-url")
    assert not HOMES.search("MENDEL_HOME/runs, /home, ~/x and /root")


# --- what is in every module ---------------------------------------------------------------------------------------


def prints(tree: ast.AST) -> bool:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(func, ast.Name) and func.id == "print" for func in calls)


def broad_handlers(tree: ast.AST, lines: list[str]) -> list[int]:
    """Lines of handlers that catch everything, neither raise it again nor say why."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ExceptHandler) or not _is_broad(node.type):
            continue
        raised = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
        reason = any("#" in lines[number - 1] for number in range(node.lineno - 1, node.body[0].lineno + 1))
        if not raised and not reason:
            found.append(node.lineno)
    return found


def _is_broad(kind: ast.expr | None) -> bool:
    if isinstance(kind, ast.Tuple):
        return any(map(_is_broad, kind.elts))
    return kind is None or (isinstance(kind, ast.Name) and kind.id in {"Exception", "BaseException"})


def test_a_module_says_what_it_is_for(modules):
    undocumented = {name for name, (_, tree) in modules.items() if not ast.get_docstring(tree)}
    assert undocumented == NO_DOCSTRING_ALLOWED


def test_a_module_of_the_library_does_not_print(modules):
    printing = {name for name, (_, tree) in modules.items() if not name.startswith("cli/") and prints(tree)}
    assert printing == PRINT_ALLOWED


def test_whoever_catches_everything_says_why(modules):
    found = {name: broad_handlers(tree, text.splitlines()) for name, (text, tree) in modules.items()}
    silent = {name: lines for name, lines in found.items() if lines}
    assert silent.keys() == BROAD_EXCEPT_ALLOWED, silent


def test_the_checks_see_what_they_are_for():
    assert prints(ast.parse("def f():\n    print(1)"))
    assert not prints(ast.parse("log.print(1); sprint(2); 'print(3)'"))
    bad = "try:\n    x()\nexcept Exception:\n    pass\n"
    for code in (bad, bad.replace("Exception", "BaseException as e"), bad.replace(" Exception", ""), _tuple(bad)):
        assert broad_handlers(ast.parse(code), code.splitlines()) == [3]
    for fine in (bad.replace("pass", "raise"), bad.replace(":\n    pass", ":  # why\n    pass"), _narrow(bad)):
        assert broad_handlers(ast.parse(fine), fine.splitlines()) == []


def _tuple(code: str) -> str:
    return code.replace("Exception", "(OSError, Exception)")


def _narrow(code: str) -> str:
    return code.replace("Exception", "(OSError, ValueError)")


# --- __all__ -------------------------------------------------------------------------------------------------------


def modules_with_all() -> list[str]:
    names = ["mendel", *(found.name for found in pkgutil.walk_packages(mendel.__path__, "mendel."))]
    return [name for name in names if "__all__" in _source_of(name)]


def _source_of(name: str) -> str:
    place = SOURCE.joinpath(*name.split(".")[1:])
    module = place.with_suffix(".py")
    return (module if module.is_file() else place / "__init__.py").read_text()


@check_rows("name", modules_with_all())
def test_all_is_what_is_public(name):
    module = importlib.import_module(name)
    assert all(hasattr(module, key) for key in module.__all__)  # what is imported when it is first asked for, too
    public = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and not isinstance(value, types.ModuleType) and key != "annotations"
    }
    assert set(module.__all__) == public
    assert len(module.__all__) == len(public)


# --- tests ---------------------------------------------------------------------------------------------------------


UNTESTED_BY_NAME = {
    "contracts": {
        "verdicts",  # in events/test_gate
        "schema_files",  # in test_tasks
        "operation",  # in events/test_payload
        "diagnostics",  # in adapters/host
        "candidate",  # in events/test_payload
        "log_views",  # in the contract suite of event logs
        "times",
    },
    "ports": {
        *(
            "blobs",
            "checkpoints",
            "clock",
            "task_fabric",
            "model_wire",
            "niche_runs",
            "read_models",
        ),  # in their contract suites
        *("outages", "progress", "log_context"),
        "offline_roles",  # in adapters/models/test_offline
    },
}


@check_rows("room", ["contracts", "ports"])
def test_every_module_that_decides_something_has_its_tests(room):
    """Modules of bare data have theirs where the data is used."""
    tested = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / room).rglob("test_*.py")}
    functions = {
        path.stem
        for path in (SOURCE / room).rglob("*.py")
        if any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(ast.parse(path.read_text()))
        )
    }
    assert functions - tested <= UNTESTED_BY_NAME[room]
