"""`mendel evolve` and `mendel report` at the command line: what they leave, and what is done with it."""

import json
import shutil
import subprocess
from contextlib import asynccontextmanager

import pytest

from mendel import wiring
from mendel.cli import evolving, running
from mendel.console import session as context
from mendel.domains.programs.front import asking_once
from mendel.domains.programs.front import mutate as mutating
from mendel.wiring import work

pytestmark = pytest.mark.usefixtures("one_worker")

SORT = '''"""Sorting."""


def sort(items: list[int]) -> list[int]:
    """In order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result


KEPT = 1  # outside the function
'''
QUIETLY = ("--objective", "opcodes", "--order", "birth", "--no-best-of-n")
"""Opcodes and birth order: the same whenever it runs, and no timer is needed."""
ADOPTED = ("package/sorting.py:sort", *QUIETLY, "--seed", "5", "--candidates", "40", "--target", "4x")
SIZES = "[evolve.task]\nsizes = [2, 5, 9]\ntiming_size = 20\nheld_sizes = [30, 40]\n"
"""Given, since no test here is about finding them."""


def git(*arguments):
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    done = subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def repository(alone, tmp_path, monkeypatch):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "sorting.py").write_text(SORT)
    (tmp_path / "mendel.toml").write_text(SIZES)
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "somebody")
        monkeypatch.setenv(f"{name}_EMAIL", "somebody@example.org")
    git("init", "--quiet", "--initial-branch", "main")
    git("add", "package")
    git("commit", "--quiet", "--message", "begin")
    return tmp_path


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """What a run left that adopted its winner, and what was said of it, once a test has asked for it."""
    return {"folder": tmp_path_factory.mktemp("kept")}


@pytest.fixture
def adopted(mendel, file_log, repository, kept):
    """What was said of a run that adopted its winner; what it left in this folder may be a copy."""
    fresh = "done" not in kept
    if fresh:
        kept["done"] = mendel("evolve", *ADOPTED)
        assert kept["done"].code == 0, kept["done"].err
    place, other = (repository, kept["folder"]) if fresh else (kept["folder"], repository)
    for name in (".mendel", "mendel-out"):
        shutil.copytree(place / name, other / name)
    return kept["done"]


@pytest.mark.xdist_group("adopted")
def test_a_winner_a_patch_a_report_and_a_summary_are_left(mendel, adopted, repository):
    done = adopted
    (folder,) = (repository / "mendel-out").iterdir()
    assert {path.name for path in folder.iterdir()} == {"winner.py", "winner.patch", "report.html", "run.json"}
    summary = json.loads((folder / "run.json").read_text())
    assert summary["adopted"] is True
    assert summary["winner"]["state"] == "confirmed"
    winner = (folder / "winner.py").read_text()
    assert winner != SORT
    assert winner.endswith("KEPT = 1  # outside the function\n")
    assert "<script" not in (folder / "report.html").read_text()
    names = {}
    exec(winner, names)
    assert names["sort"]([3, 1, 2, 1]) == [1, 1, 2, 3]
    assert f"mendel replay {folder.name}" in done.out
    assert mendel("replay", folder.name).code == 0

    git("apply", "--check", str(folder / "winner.patch"))
    again = mendel("report", folder.name, "--out", "again", "--json")
    assert again.code == 0
    assert again.json["adopted"] is True
    assert (repository / "again" / folder.name / "winner.patch").read_text() == (folder / "winner.patch").read_text()

    (repository / "package" / "other.py").write_text("staged = 1\n")
    git("add", "package/other.py")
    committed = mendel("report", folder.name, "--commit")
    assert committed.code == 0, committed.err
    branch = f"mendel/sort-{folder.name[-12:]}"
    assert f"committed on branch {branch}; `git merge {branch}` merges it" in committed.out
    assert git("show", f"{branch}:package/sorting.py") == winner
    assert git("show", "--name-only", "--format=", branch).split() == ["package/sorting.py"]
    assert "opcodes" in git("log", "-1", "--format=%B", branch)
    assert git("branch", "--show-current") == "main\n"
    assert git("status", "--porcelain", "package") == "A  package/other.py\n"
    assert (repository / "package" / "sorting.py").read_text() == SORT

    twice = mendel("report", folder.name, "--commit", "--json")
    assert (twice.code, twice.json["adopted"]) == (2, True)
    assert "already exists" in twice.json["error"]["message"]

    applied = mendel("report", folder.name, "--apply")
    assert applied.code == 0, applied.err
    assert (repository / "package" / "sorting.py").read_text() == winner
    for flag in ("--apply", "--commit"):
        refused = mendel("report", folder.name, flag)
        assert refused.code == 2
        assert "has changed since the run began" in refused.err
        assert "fewer opcodes" in refused.out


@pytest.mark.xdist_group("adopted")
def test_a_second_run_counts_on_and_its_patch_is_against_the_users_file(mendel, adopted, repository):
    (written,) = (repository / "mendel-out").glob("*/run.json")
    first = json.loads(written.read_text())
    assert first["adopted"] is True
    ended = [each["k"] for each in first["challenges"]]
    second = mendel("evolve", "package/sorting.py:sort", *QUIETLY, "--seed", "5", "--json", "--candidates", "3")
    assert (second.json["adopted"], second.json["challenges"]) == (False, [])
    assert (second.json["original_total"], second.json["original_fell"]) == (first["original_total"], [])
    assert second.json["champion_before"] == {
        "run_id": first["run_id"],
        "candidate_id": first["winner"]["candidate_id"],
    }
    assert f"champion of run {first['run_id']} stands" in second.json["headline"]
    (configured,) = mendel("events", second.json["run_id"], "--type", "run.configured", "--json").json["events"]
    assert configured["payload"]["config"]["challenges_before"] == max(ended)


def test_what_could_not_be_kept_is_refused_before_anything_starts(mendel, file_log, repository, unopened):
    (repository / "file").write_text("")
    refused = mendel("evolve", "package/sorting.py:sort", "--out", "file")
    assert (refused.code, "--out: file is a file" in refused.err) == (2, True)
    (repository / "package" / "sorting.py").write_text(SORT + "\n")
    dirty = mendel("evolve", "package/sorting.py:sort", "--commit")
    assert (dirty.code, "has uncommitted changes" in dirty.err) == (2, True)
    shutil.rmtree(repository / ".git")
    outside = mendel("evolve", "package/sorting.py:sort", "--commit")
    assert (outside.code, "is not in a git work tree" in outside.err) == (2, True)


@pytest.mark.breeding
def test_of_several_files_each_is_left_under_its_name_and_a_mark_is_kept(mendel, file_log, repository):
    mark = b"\xef\xbb\xbf"
    core = "from slow import sort\n\n\ndef first(items: list[int]) -> list[int]:\n    return sort(items)\n"
    (repository / "core.py").write_bytes(mark + core.encode())
    (repository / "slow.py").write_bytes(mark + SORT.partition("\n\n\n")[2].encode())
    files = ("--files", "slow.py", "--seed", "6", "--candidates", "60", "--target", "2x")
    done = mendel("evolve", "core.py:first", *QUIETLY, *files)
    assert done.code == 0, done.err
    (folder,) = (repository / "mendel-out").iterdir()
    assert {"winner.py", "winner_slow.py", "winner.patch"} <= {path.name for path in folder.iterdir()}
    assert "def first" in (folder / "winner.py").read_text(encoding="utf-8-sig")
    assert "def sort" in (folder / "winner_slow.py").read_text(encoding="utf-8-sig")
    git("apply", str(folder / "winner.patch"))
    assert (repository / "slow.py").read_bytes() == (folder / "winner_slow.py").read_bytes()
    assert (repository / "core.py").read_bytes() == (folder / "winner.py").read_bytes()


@pytest.mark.breeding
@pytest.mark.parametrize("archive", ["opcodes,size", "opcodes,age,cvt:16"])
def test_islands_and_an_archive_take_part_and_replay(mendel, file_log, repository, archive):
    run = ("evolve", "package/sorting.py:sort", *QUIETLY, "--seed", "5", "--candidates", "12", "--population", "6")
    done = mendel(*run, "--islands", "2", "--archive", archive, "--json")
    assert done.code in (0, 3), done.err
    run_id = done.json["run_id"]
    events = mendel("events", run_id, "--json").out
    assert "island 1: " in events
    assert '"islands": {' in events
    assert '"archive": {' in events
    assert mendel("replay", run_id).code == 0


@pytest.mark.slow
def test_nothing_better_is_exit_code_3_and_says_so(mendel, file_log, repository):
    (repository / "small.py").write_text("def f(n: int) -> int:\n    return n + 1\n")
    done = mendel("evolve", "small.py:f", *QUIETLY, "--seed", "1", "--candidates", "5", "--json")
    assert done.code == 3, done.err
    assert done.json["adopted"] is False
    assert done.json["headline"]
    (folder,) = (repository / "mendel-out").iterdir()
    assert {path.name for path in folder.iterdir()} == {"report.html", "run.json"}


@pytest.fixture
def walled_workers(monkeypatch):
    """Only the workers of a fabric have a sandbox: whoever else opens one in this process breaks the test."""
    opened = work.open_sandbox

    @asynccontextmanager
    async def elsewhere(settings, plan=None, *, procedures=False, **walls):
        async with (
            opened(settings, **walls) as sandbox,
            work.open_asking_fabric(settings, sandbox, plan, procedures=procedures) as fabric,
        ):
            yield fabric

    def refuse(*arguments, **named):
        raise AssertionError("a sandbox was opened where a run is launched")

    for module in (running, asking_once, mutating):
        monkeypatch.setattr(module, "open_run_fabric", elsewhere)
    for module in (work, wiring):
        monkeypatch.setattr(module, "open_sandbox", refuse)


@pytest.mark.slow
def test_a_run_is_prepared_recorded_and_conducted_where_no_sandbox_is(mendel, file_log, repository, walled_workers):
    done = mendel("evolve", "package/sorting.py:sort", *QUIETLY, "--seed", "5", "--candidates", "6", "--json")
    assert done.code in (0, 3), done.err
    told = [line for line in done.err.splitlines() if line.startswith(("vetting", "looking", "timing"))]
    assert told == ["vetting sort as the reference", "looking for input sizes that it can handle"]
    assert mendel("step", "package/sorting.py:sort", "--objective", "opcodes", "--population", 3).code == 0
    assert mendel("set", "latest", "caps.max_candidates=9").code == 0
    assert mendel("resume", "latest").code == 0
    assert mendel("show", "latest", "--json").json["status"] == "completed"
    asked = ("--models", "--route", "mutator=offline/programs.mutator")
    assert mendel("mutate", "package/sorting.py:sort", *asked, "--seed", "5").code in (0, 3)
    assert mendel("mutate", "package/sorting.py:sort", "--operator", "library", "--seed", "5").code in (0, 3)


def test_where_no_worker_has_a_sandbox_nothing_is_run_and_nothing_recorded(mendel, file_log, repository, monkeypatch):
    monkeypatch.setattr(running, "open_run_fabric", lambda settings, *_, **__: wiring.open_fabric(settings))
    done = mendel("evolve", "package/sorting.py:sort", *QUIETLY)
    assert done.code == 4
    assert "the domain programs runs untrusted code, and no sandbox is available" in done.err
    assert mendel("runs", "--json").json["runs"] == []


@pytest.fixture
def unopened(monkeypatch):
    """Neither a log nor a sandbox is opened."""

    def refuse(*arguments, **named):
        raise AssertionError("something was started")

    monkeypatch.setattr(evolving, "fabric_for", refuse)
    monkeypatch.setattr(context, "open_log", refuse)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("package/sorting.py",), "does not read FILE:FUNC"),
        (("nowhere.py:f",), "cannot be read"),
        (("package/sorting.py:srot",), "did you mean sort"),
        (("package/sorting.py:sort", "--objective", "sped"), "no objective 'sped'"),
        (("package/sorting.py:sort", "--order", "random"), "--order is arrival or birth"),
        (("package/sorting.py:sort", "--population", "0"), "--population"),
        (("package/sorting.py:sort", "--seconds", "-1"), "--seconds"),
        (("package/sorting.py:sort", "--candidates", "0"), "--candidates"),
        (("package/sorting.py:sort", "--target", "fast"), "contains no number"),
        (("package/sorting.py:sort", "--backend", "docker"), "native"),
        (("package/sorting.py:sort", "--objective", "score"), "the objective score needs score(output, *arguments)"),
        (("package/sorting.py:sort", "--islands", "0"), "--islands"),
        (("package/sorting.py:sort", "--islands", "30"), "leaves fewer than two to an island"),
        (("package/sorting.py:sort", "--archive", "sped"), "no descriptor 'sped'"),
        (("package/sorting.py:sort", "--archive", "speed", "--objective", "size"), "measured with --objective speed"),
        ((), "say which function"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(mendel, file_log, repository, unopened, arguments, told):
    done = mendel("evolve", *arguments)
    assert done.code == 2, done.err
    assert told in done.err
    assert not (repository / "mendel-out").exists()


def test_a_selector_that_nobody_has_is_answered_with_those_there_are(mendel, file_log, repository, unopened):
    done = mendel("evolve", "package/sorting.py:sort", "--selector", "nobody")
    assert done.code == 2
    assert 'mendel.selectors has no "nobody"; known are' in done.err


def test_a_mutator_that_nobody_has_is_answered_with_those_there_are(mendel, file_log, repository, unopened):
    done = mendel("evolve", "package/sorting.py:sort", "--mutator", "nobody")
    assert done.code == 2
    assert 'mendel.mutators has no "nobody"; known are offline' in done.err


def test_a_run_of_a_domain_that_is_not_installed_has_what_runs_of_all_have(mendel, make_run):
    done = mendel("report", make_run())
    assert done.code == 3
    assert "the report omits the part specific to its domain: " in done.err
