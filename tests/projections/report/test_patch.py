"""Patches are what git takes: applied by git itself, they make of one text the other."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mendel.projections.report.patch import unified_patch, unified_patches

TEXTS = {
    "a change": ("a\nb\nc\n", "a\nB\nc\n"),
    "no newline before": ("a\nb", "a\nb\nc\n"),
    "no newline after": ("a\nb\n", "a\nc"),
    "no newline on either side": ("a\nb", "a\nc"),
    "only the newline": ("a\nb", "a\nb\n"),
    "carriage returns": ("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"),
    "carriage returns go": ("a\r\nb\r\n", "a\nb\n"),
    "other breaks": ("a\x0cb\u2028c\x85d\n\re\n", "a\x0cB\u2028c\x85d\n\re\n"),
    "unicode": ("名前 = 'ä'\n", "名前 = '😀'\n"),
    "from nothing": ("", "a\n"),
    "to nothing": ("a\n", ""),
    "what looks like a header": ("-- a/x\n++ b\n@@ -1 +1 @@\n", "-- a/y\n++ c\n@@ -1 +1 @@\n"),
    "far apart": ("x\n" * 50 + "a\n" + "y\n" * 50, "X\n" + "x\n" * 49 + "b\n" + "y\n" * 50),
}
PATHS = ["a.py", "sub/folder/a.py", "with blank/my file.py", "ünïcode/名.py", 'odd"name\\.py', "b/a.py"]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def apply(folder, patch):
    (folder / "winner.patch").write_bytes(patch.encode())
    done = subprocess.run(["git", "apply", "winner.patch"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stderr}\n{patch}"


@pytest.mark.parametrize(("before", "after"), TEXTS.values(), ids=TEXTS.keys())
def test_git_makes_the_change(repository, before, after):
    write(repository, {"sub/a.py": before})
    apply(repository, unified_patch("sub/a.py", before, after))
    assert (repository / "sub/a.py").read_bytes() == after.encode()


@pytest.mark.parametrize("path", PATHS)
def test_wherever_the_file_lies(repository, path):
    write(repository, {path: "a\nb\n"})
    apply(repository, unified_patch(path, "a\nb\n", "a\nc\n"))
    assert (repository / path).read_bytes() == b"a\nc\n"


def test_several_files_in_one_patch(repository):
    before = {"one.py": "a\n", "two/three.py": "b", "same.py": "c\n"}
    after = {"one.py": "A\n", "two/three.py": "B", "same.py": "c\n"}
    write(repository, before)
    patch = unified_patches(before, after)
    assert "same.py" not in patch
    apply(repository, patch)
    assert {path: (repository / path).read_bytes().decode() for path in after} == after


def test_nothing_to_change_is_no_patch():
    assert unified_patch("a.py", "a\n", "a\n") == ""
    assert unified_patches({"a.py": "a"}, {"b.py": "b"}) == ""


def test_it_looks_as_git_writes_it():
    assert unified_patch("p.py", "a\nb", "a\nc\n") == (
        "diff --git a/p.py b/p.py\n--- a/p.py\n+++ b/p.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
    )


lines = st.sampled_from(["a", "b", "", "  c", "\t", "-- d", "++ e", "é\r", "\\ f", "\x0c", "@@"])
texts = st.builds(lambda parts, end: "\n".join(parts) + end, st.lists(lines, max_size=12), st.sampled_from(["", "\n"]))


@settings(max_examples=60, deadline=None)
@given(before=texts, after=texts)
def test_any_text_becomes_any_other(repository, before, after):
    patch = unified_patch("any.py", before, after)
    assert bool(patch) is (before != after)
    if patch:
        write(repository, {"any.py": before})
        apply(repository, patch)
        assert (repository / "any.py").read_bytes() == after.encode()
