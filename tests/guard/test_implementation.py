"""What names a baseline or a candidate, and what of it is shipped."""

import sys
from pathlib import Path

import pytest
from tests.guard.making import ABS, NUMBERS, codes, judged, source

from mendel.contracts.errors import NotShippable
from mendel.contracts.evaluations import Program, Shape
from mendel.guard import Implementation, TaskSpec

SPEC = TaskSpec("task", NUMBERS)
FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A package on the path that must never be imported here."""
    files = {
        "shelf/__init__.py": "raise SystemExit('the package was imported')\n",
        "shelf/models.py": (
            "open('imported', 'w').close()\nraise SystemExit('the module was imported')\n"
            "from .helpers import magnitude\nFACTOR = 1\n\ndef candidate(x):\n    return FACTOR * magnitude(x)\n"
        ),
        "shelf/helpers.py": "def magnitude(x):\n    return abs(x)\n",
        "shelf/inner/__init__.py": "",
        "shelf/inner/deep.py": "def solve(x):\n    return abs(x)\n",
        "single.py": "def solve(x):\n    return abs(x)\n\nimport launch_the_rockets\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def agrees(implementation: object) -> bool:
    """Whether it runs in a sandbox and answers as abs does."""
    return judged(SPEC, ABS, implementation, **FEW).adopt


# --- files ---------------------------------------------------------------------------------------------------------


def test_a_file_is_shipped_as_it_is_and_its_solve_is_called(project):
    text = ABS + "\nother = 3\n"
    (project / "file.py").write_text(text)
    for given in (project / "file.py", str(project / "file.py"), "file.py", "file.py:solve", Path("file.py:solve")):
        made = Implementation.of(given)
        assert made.program == Program({"candidate.py": text}, "candidate:solve")
    assert agrees("file.py")


def test_a_function_of_a_file_is_named_after_a_colon(project):
    (project / "file.py").write_text("def fast(x):\n    return abs(x)\n")
    assert Implementation.of("file.py:fast").program.entry == "candidate:fast"
    assert Implementation(project / "file.py", entry="fast").program.entry == "candidate:fast"
    assert agrees("file.py:fast")


def test_a_byte_order_mark_is_not_part_of_the_source(project):
    (project / "file.py").write_bytes(b"\xef\xbb\xbf" + ABS.encode())
    assert agrees("file.py")


def test_a_candidate_that_is_no_utf8_is_rejected_and_breaks_nothing(project):
    (project / "file.py").write_bytes(b"name = '\xff'\n" + ABS.encode())
    assert judged(SPEC, ABS, "file.py", **FEW).decision == "reject"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("absent.py", "absent.py: there is no such file"),
        ("absent.py:solve", "absent.py: there is no such file"),
        ("shelf", "shelf: not a regular file"),
        ("absent:solve", "no module 'absent' on the path"),
        ("shelf.absent:solve", "no module 'shelf.absent' on the path; looked for shelf.absent"),
        ("sys:exit", "no module 'sys'"),
        ("my project.x:solve", "is not of the form module:function"),
    ],
)
def test_what_is_not_there_is_refused_by_name(project, given, told):
    with pytest.raises(NotShippable, match=told):
        Implementation.of(given)


def test_it_is_a_path_or_a_source_and_not_both(project):
    for wrong in ({}, {"path": "file.py", "source": ABS}):
        with pytest.raises(NotShippable, match="exactly one of them"):
            Implementation(**wrong)


def test_an_entry_that_is_no_name_is_refused():
    with pytest.raises(NotShippable, match="does not read module:function"):
        source(ABS, "not a name")


# --- modules -------------------------------------------------------------------------------------------------------


def test_a_module_is_found_but_never_imported(project):
    made = Implementation.of("shelf.inner.deep:solve")
    assert made.program.entry == "shelf.inner.deep:solve"
    assert set(made.program.files) == {"shelf/__init__.py", "shelf/inner/__init__.py", "shelf/inner/deep.py"}
    assert made.program.files["shelf/__init__.py"] == ""
    assert not {"shelf", "shelf.inner", "shelf.inner.deep"} & set(sys.modules)
    assert agrees(made)


def test_only_what_the_function_needs_of_its_module_is_run(project):
    made = Implementation.from_dotted("shelf.models:candidate", modules=["shelf.helpers"])
    assert "imported" not in made.program.files["shelf/models.py"]
    assert made.program.files["shelf/helpers.py"] == "def magnitude(x):\n    return abs(x)\n"
    assert agrees(made)
    assert not (project / "imported").exists()


def test_what_is_imported_after_the_function_stays_behind(project):
    assert agrees("single:solve")


def test_a_module_that_was_not_shipped_is_missing_inside(project):
    report = judged(SPEC, ABS, "shelf.models:candidate", lint=False, **FEW)
    assert codes(report) == ["load_failed"]
    assert "shelf.helpers" in report.reason


def test_source_can_import_modules_that_are_shipped_with_it(project):
    text = "from shelf.helpers import magnitude\n\ndef solve(x):\n    return magnitude(x)\n"
    assert agrees(Implementation.from_source(text, modules=["shelf.helpers"]))


def test_a_module_without_source_is_refused():
    with pytest.raises(NotShippable, match="not made of Python source"):
        Implementation.from_dotted("orjson.orjson:dumps")


# --- identity ------------------------------------------------------------------------------------------------------


def test_the_hash_is_that_of_the_files_and_the_entry():
    assert source(ABS).hash == source(ABS).hash
    assert len({source(ABS).hash, source(ABS + " ").hash, source(ABS, "other").hash}) == 3


def test_what_may_be_returned_belongs_to_the_program():
    made = Implementation(source=ABS, shapes=[Shape("Point", ("x", "y"))])
    assert made.program.shapes == (Shape("Point", ("x", "y")),)


def test_an_implementation_is_taken_as_it_is():
    made = source(ABS)
    assert Implementation.of(made) is made
    assert repr(made) == "Implementation('source', entry='candidate:solve')"
