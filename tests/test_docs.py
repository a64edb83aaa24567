"""What the documentation says is run."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.rows import check_rows

from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.guard import Code, GuardConfig

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"), ROOT / "tests" / "README.md"])


def python_in(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def run(code, folder):
    environment = {**os.environ, "MENDEL_LOG__BACKEND": "file"}
    return subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_readme_program_runs_as_it_stands(tmp_path):
    _, code = python_in("README.md")
    done = run(code, tmp_path)
    assert done.stderr == ""
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["0", "run.configured"],
        ["1", "conductor_took_over"],
        ["2", "run.started"],
    ]


@pytest.mark.parametrize("page", ["README.md", "docs/guard.md"])
def test_the_gate_adopts_what_the_page_says(page, tmp_path):
    done = run(python_in(page)[0], tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("adopt all 400 answers agree")


def test_the_gate_judges_the_samples_that_the_page_shows(tmp_path):
    _, code = python_in("docs/guard.md")
    done = run(code, tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("adopt sign_exact the standardised difference is")


def test_every_reason_of_the_gate_is_documented():
    rows = (ROOT / "docs" / "guard.md").read_text().partition("## Reasons")[2].partition("\n## ")[0]
    assert sorted(set(re.findall(r"`([a-z_]+)`", rows))) == sorted(Code)


def test_every_option_of_the_gate_is_documented():
    table = (ROOT / "docs" / "guard.md").read_text().partition("| option |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`([a-z_]+)`", row.partition(" | ")[0])}
    assert named == set(GuardConfig.model_fields)


def test_the_twelve_lines_that_check_a_run_file_do(tmp_path):
    async def write():
        async with FileEventLog(tmp_path / "runs", payloads=samples.sample_payloads()) as log:
            return await samples.new_run(log, samples.findings(7))

    path = tmp_path / "runs" / f"{asyncio.run(write())}.mendel"
    path.rename(tmp_path / "run.mendel")
    (code,) = python_in("docs/log.md")
    assert run(code, tmp_path).stdout.startswith("8 events, head ")
    content = (tmp_path / "run.mendel").read_bytes()
    (tmp_path / "run.mendel").write_bytes(content.replace(b'"number":3', b'"number":4'))
    assert "AssertionError" in run(code, tmp_path).stderr


def test_every_event_is_documented():
    page = (ROOT / "docs" / "events.md").read_text()
    documented = set(re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE))
    assert documented == {*EVENT_PAYLOADS}
    for model in EVENT_PAYLOADS.values():
        fields = ", ".join(f"`{name}`" for name in model.model_fields) or "\N{EN DASH}"
        assert f"| `{model.type}` | {model.__doc__.splitlines()[0]} | {fields} |" in page


@check_rows("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target
