"""Reports: what they say, and how they are kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.guard.making import ABS, ECHO, NUMBERS, judged

from mendel.contracts.errors import ConfigError, StorageError
from mendel.contracts.evaluations import Shape
from mendel.guard import Implementation, MetamorphicRelation, Metric, Property, TaskSpec, load_report
from mendel.guard import report as reports

TASK = TaskSpec(
    "absolute",
    NUMBERS,
    [Property(lambda output, x: output >= 0, "never negative")],
    [MetamorphicRelation("even", lambda x: (-x,))],
    metrics=[Metric("size", lambda output, args: output)],
)
FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}
CASES = {
    "adopt": (ABS, ABS, FEW, 0),
    "reject": (ABS, ECHO, FEW, 1),
    "undecided": (ABS, ABS, {"n": 20}, 3),
}
each_case = pytest.mark.parametrize("decision", list(CASES))


def made(decision: str):
    baseline, candidate, options, _ = CASES[decision]
    return judged(TASK, baseline, candidate, **options)


@each_case
def test_a_report_says_what_was_decided(decision):
    report = made(decision)
    assert report.decision == decision
    assert report.adopt == (decision == "adopt")
    assert report.exit_code == CASES[decision][3]
    assert report.reason == report.verdict.reasons[0].message
    assert report.code == report.verdict.reasons[0].code
    assert (report.violations, report.metrics) == (report.verdict.violations, report.verdict.metrics)
    assert report["decision"] == decision
    assert report["task"] == "absolute"


@each_case
def test_a_report_survives_being_written(decision, tmp_path):
    report = made(decision)
    path = report.write(tmp_path)
    loaded = load_report(path)
    assert loaded.to_json() == report.to_json() == json.loads(path.read_text())
    assert loaded.verdict == report.verdict
    assert loaded.config == report.config
    assert loaded.candidate.program == report.candidate.program
    assert loaded.baseline.program == report.baseline.program


def test_other_options_survive_as_well(tmp_path):
    report = judged(TASK, ABS, ABS, mode="statistical", n=60, sequential="pocock", looks=(20, 40), metrics=["size"])
    assert load_report(report.write(tmp_path)).config == report.config
    alone = judged(TASK, None, ABS, n=60, mode="absolute")
    assert load_report(alone.write(tmp_path)).baseline is None


def test_what_may_be_returned_survives_too(tmp_path):
    text = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef solve(x):\n    return P(abs(x))\n"
    shaped = Implementation(source=text, shapes=[Shape("P", ("x",))])
    report = judged(TaskSpec("t", NUMBERS), shaped, shaped, **FEW)
    assert report.adopt
    assert load_report(report.write(tmp_path)).candidate.program.shapes == (Shape("P", ("x",)),)


def test_reports_beside_each_other_do_not_overwrite_each_other(tmp_path):
    report = made("reject")
    paths = {report.write(tmp_path / "deep" / "folder") for _ in range(3)}
    assert len(paths) == 3
    assert sorted(p.suffix for p in (tmp_path / "deep" / "folder").iterdir()) == [".html"] * 3 + [".json"] * 3


def test_the_page_stands_beside_it_and_escapes_what_programs_said(tmp_path):
    text = "def solve(x):\n    return '<script>alert(1)</script>'\n"
    report = judged(TaskSpec("<b>task</b>", NUMBERS), ABS, text, **FEW)
    page = report.write(tmp_path).with_suffix(".html").read_text()
    assert page == report.to_html()
    assert "<script>alert" not in page
    assert "<b>task" not in page
    assert "mismatch" in page or "another" in page


# --- what goes wrong -----------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nothing")):
        with pytest.raises(StorageError, match=f"cannot be written to {place}"):
            made("adopt").write(place)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


FULL = """
import resource, sys
from mendel.contracts.errors import StorageError
from mendel.guard import load_report
report = load_report(sys.argv[1])
for room in (0, 100):
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    try:
        report.write(f"{sys.argv[2]}/{room}")
    except StorageError as error:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(room, "refused:", error)
"""


def test_a_full_disk_leaves_no_part_of_a_report(tmp_path):
    path = made("reject").write(tmp_path / "first")
    done = subprocess.run(
        [sys.executable, "-c", FULL, path, tmp_path / "second"], capture_output=True, text=True, timeout=120
    )
    for room in (0, 100):
        assert f"{room} refused: the report cannot be written" in done.stdout, done.stderr
        assert list((tmp_path / "second" / str(room)).iterdir()) == []


def test_a_report_without_its_page_is_none(tmp_path, monkeypatch):
    """The page cannot be written, so the report that was written before it goes as well."""
    monkeypatch.setattr(reports, "_free", lambda folder: folder / "report.json")
    (tmp_path / "report.html").mkdir()
    with pytest.raises(StorageError):
        made("adopt").write(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"not json",
        b'{"implementations": 3}',
        b"\xff\xfe",
        b'{"implementations": {}, "config": {}}',
    ],
)
def test_what_is_no_report_is_refused(tmp_path, content):
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"report\.json: not a report of the gate"):
        load_report(path)


def test_a_report_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.json: cannot be read"):
        load_report(tmp_path / "absent.json")


@pytest.mark.parametrize("part", ["verdict", "config", "program"])
def test_a_report_that_was_altered_into_nonsense_is_refused(tmp_path, part):
    path = made("adopt").write(tmp_path)
    data = json.loads(path.read_text())
    if part == "verdict":
        data["decision"] = "perhaps"
    elif part == "config":
        data["config"]["n"] = 0
    else:
        data["implementations"]["candidate"]["entry"] = "no entry"
    path.write_text(json.dumps(data))
    with pytest.raises(ConfigError):
        load_report(path)
