"""`mendel mutate` at the command line: one step, no evaluation, nothing recorded."""

import subprocess
from contextlib import asynccontextmanager

import pytest

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code
from mendel.breeding.normal_form import fingerprint
from mendel.contracts.evaluations import Isolation
from mendel.domains.programs.front import mutate as mutating

pytestmark = pytest.mark.usefixtures("one_worker")

SORT = '''"""Sorting."""


def sort(items: list[int]) -> list[int]:
    """In ascending order."""
\tresult = list(items)
\tfor _ in range(len(result)):
\t\tfor place in range(len(result) - 1):
\t\t\tif result[place] > result[place + 1]:  # wrong
\t\t\t\tresult[place], result[place + 1] = result[place + 1], result[place]
\treturn result


def other(number: int) -> int:
    return number + 1
'''.replace('    """In', '\t"""In')


@pytest.fixture(autouse=True)
def source(tmp_path):
    (tmp_path / "mine.py").write_text(SORT)
    return tmp_path / "mine.py"


@pytest.fixture
def no_sandbox(monkeypatch):
    def refuse(*arguments, **named):
        raise AssertionError("a sandbox was opened")

    monkeypatch.setattr(mutating, "open_run_fabric", refuse)


def variations(mendel, *arguments):
    done = mendel("mutate", "mine.py:sort", "--json", *arguments)
    assert done.code == 0, done.err
    return done.json["variations"]


def test_it_prints_what_was_done_and_a_patch_that_git_applies(mendel, no_sandbox, tmp_path, source):
    done = mendel("mutate", "mine.py:sort", "--seed", 5)
    assert done.code == 0
    first, second, *_ = done.out.splitlines()
    assert first.split(" ")[0] in OPERATORS
    assert second == "diff --git a/mine.py b/mine.py"
    assert "seed 5" in done.err
    assert source.read_text() == SORT
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=done.out, text=True, check=True)
    (made,) = variations(lambda *rest: mendel(*rest[:1], "mine.py:other", *rest[2:]), "--seed", 5)
    assert source.read_text() != SORT
    assert "other" in made["source"]


def test_applied_the_patch_gives_the_source_that_is_told_to_machines(mendel, no_sandbox, tmp_path, source):
    for seed in range(12):
        source.write_text(SORT)
        (made,) = variations(mendel, "--seed", seed)
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=made["patch"], text=True, check=True)
        assert source.read_text() == made["source"]
        compile(made["source"], "mine.py", "exec")


def test_the_same_seed_gives_the_same_and_others_give_others(mendel, no_sandbox):
    outs = [mendel("mutate", "mine.py:sort", "--seed", seed).out for seed in (1, 1, 2, 3, 4)]
    assert outs[0] == outs[1]
    assert len(set(outs)) > 2


def test_without_a_seed_it_is_told_so_that_it_can_be_repeated(mendel, no_sandbox):
    drawn = mendel("mutate", "mine.py:sort", "--json").json
    (again,) = variations(mendel, "--seed", drawn["seed"])
    assert [again] == drawn["variations"]


def test_a_count_gives_so_many_that_differ_in_more_than_looks(mendel, no_sandbox):
    made = variations(mendel, "--seed", 1, "--count", 15)
    prints = {fingerprint(Code(each["source"])) for each in made} | {fingerprint(Code(SORT))}
    assert len(made) == 15
    assert len(prints) == 16
    assert len({each["operator"] for each in made}) > 3


@pytest.mark.parametrize("name", ["statement_delete", "constant", "operator"])
def test_the_operator_that_is_asked_for_is_used(mendel, no_sandbox, name):
    assert {each["operator"] for each in variations(mendel, "--operator", name, "--count", 2)} == {name}


def test_places_are_of_the_class_that_is_asked_for(mendel, no_sandbox):
    for site in ("inner", "loop", "return", "plain"):
        assert {each["site"] for each in variations(mendel, "--site", site, "--count", 3, "--seed", 2)} == {site}


def test_only_the_function_and_what_it_calls_change(mendel, no_sandbox):
    for each in variations(mendel, "--count", 20, "--seed", 3):
        assert each["source"].endswith("def other(number: int) -> int:\n    return number + 1\n")


def test_only_what_is_marked_changes(mendel, no_sandbox, source):
    source.write_text(
        SORT.replace("def other", "# mendel: evolve\ndef other").replace("list(items)", "list(other(items))")
    )
    head = source.read_text().partition("def other")[0]
    for each in variations(mendel, "--count", 5, "--seed", 3):
        assert each["source"].startswith(head)


def test_out_takes_the_new_source_and_nothing_else_changes(mendel, no_sandbox, tmp_path, source):
    (made,) = variations(mendel, "--seed", 9)
    done = mendel("mutate", "mine.py:sort", "--seed", 9, "--out", "new.py")
    assert (done.code, (tmp_path / "new.py").read_text()) == (0, made["source"])
    assert source.read_text() == SORT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.py", "new.py"]


def test_ends_of_lines_and_a_mark_are_kept(mendel, no_sandbox, tmp_path, source):
    source.write_bytes(b"\xef\xbb\xbf" + SORT.replace("\n", "\r\n").encode())
    for seed in range(8):
        assert mendel("mutate", "mine.py:sort", "--seed", seed, "--out", "new.py").code == 0
        written = (tmp_path / "new.py").read_bytes()
        assert written.startswith(b"\xef\xbb\xbf")
        assert written.count(b"\n") == written.count(b"\r\n")


def test_the_patch_of_a_file_with_a_mark_applies(mendel, no_sandbox, tmp_path, source):
    text = "def f(x):\n    y = x + 1\n    return y\n"
    source.write_bytes(b"\xef\xbb\xbf" + text.encode())
    done = mendel("mutate", "mine.py:f", "--seed", 1)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=done.out.encode(), check=True)
    assert source.read_bytes().startswith(b"\xef\xbb\xbf")
    assert source.read_bytes() != b"\xef\xbb\xbf" + text.encode()


def test_the_patch_applies_wherever_one_stands_in_the_work_tree(mendel, no_sandbox, tmp_path, monkeypatch):
    (tmp_path / "below" / "deeper").mkdir(parents=True)
    source = tmp_path / "below" / "mine.py"
    source.write_text(SORT)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    for folder, named in (
        ("below", "mine.py"),
        (".", "below/mine.py"),
        ("below/deeper", "../mine.py"),
        (".", str(source)),
    ):
        monkeypatch.chdir(tmp_path / folder)
        done = mendel("mutate", f"{named}:sort", "--seed", 5)
        assert "diff --git a/below/mine.py b/below/mine.py" in done.out
        source.write_text(SORT)
        subprocess.run(["git", "apply", "-"], cwd=tmp_path / "below", input=done.out, text=True, check=True)
        assert source.read_text() != SORT
        source.write_text(SORT)


def test_the_library_is_asked_in_the_sandbox_only(mendel):
    (made,) = variations(mendel, "--operator", "library", "--seed", 1)
    found = variations(mendel, "--operator", "library", "--count", 8, "--seed", 1)
    assert made == found[0]
    assert any("sorted(" in each["source"] for each in found)
    assert all(each["operator"] == "library" for each in found)


@pytest.fixture
def weak_workers(monkeypatch):
    """Workers that announce too few walls, whatever this machine has."""
    opened = mutating.open_run_fabric

    @asynccontextmanager
    async def weakly(*arguments, **named):
        async with opened(*arguments, **named) as fabric:

            async def isolation():
                return Isolation("weak", (), "native", {"seccomp": "not here"})

            monkeypatch.setattr(fabric, "isolation", isolation)
            yield fabric

    monkeypatch.setattr(mutating, "open_run_fabric", weakly)


def test_workers_with_too_few_walls_are_asked_where_the_user_allows_it(mendel, weak_workers):
    library = ("mutate", "mine.py:sort", "--operator", "library", "--seed", 1)
    refused = mendel(*library)
    assert refused.code != 0
    assert "too weak" in refused.err
    allowed = mendel(*library, "--allow-weak-sandbox")
    assert allowed.code == 0
    assert "library (plain)" in allowed.out


def test_the_function_of_the_settings_is_varied_where_none_is_named(mendel, no_sandbox, tmp_path):
    (tmp_path / "mendel.toml").write_text('[mutate]\ntarget_file = "mine.py"\nentry_fn = "other"\n')
    done = mendel("mutate", "--json", "--seed", 1)
    assert done.json["function"] == "other"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "[mutate] target_file"),
        (("mine.py",), 2, "FILE:FUNC"),
        (("mine.py:srot",), 2, "did you mean sort"),
        (("there.py:sort",), 2, "there.py cannot be read"),
        (("bad.py:sort",), 2, "bad.py does not parse, line 1"),
        (("mine.py:sort", "--operator", "statement_swop"), 2, "did you mean statement_swap? known are accumulate,"),
        (("mine.py:sort", "--operator", "crossover"), 2, "two parents"),
        (("mine.py:sort", "--site", "outer"), 2, "known are inner, loop, return, plain"),
        (("mine.py:sort", "--site", "inner", "--operator", "library"), 2, "takes no --site"),
        (("mine.py:sort", "--count", "2", "--out", "x.py"), 2, "--out takes one"),
        (("mine.py:sort", "--out", "no/such/folder.py"), 4, "cannot be written"),
        (("mine.py:other", "--operator", "heap"), 3, "the operator heap finds nothing to change in other"),
        (("mine.py:nothing",), 2, "no function"),
        (("marked.py:f",), 2, "marked.py, line 1: `# mendel: end` without a `# mendel: evolve`"),
    ],
)
def test_what_is_wrong_is_said(mendel, no_sandbox, tmp_path, arguments, code, words):
    (tmp_path / "bad.py").write_text("def sort(:\n")
    (tmp_path / "marked.py").write_text("# mendel: end\ndef f(x):\n    return x\n")
    refused = mendel("mutate", *arguments)
    assert refused.code == code
    assert words in refused.err


def test_fewer_than_asked_for_are_told(mendel, no_sandbox):
    done = mendel("mutate", "mine.py:other", "--operator", "operator", "--count", 100)
    assert done.code == 0
    assert "different ones were found" in done.err


def test_nothing_is_recorded(mendel, no_sandbox, tmp_path):
    mendel("mutate", "mine.py:sort")
    assert not (tmp_path / ".mendel").exists()
