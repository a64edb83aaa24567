"""The page is in the wheel, and nobody needs Node for it."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.web.page_tools import ROOT

pytestmark = pytest.mark.xdist_group("web")


@pytest.fixture
def checkout(tmp_path):
    """The tree as git knows it, and nothing that was built in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            copy = tmp_path / "tree" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    return tmp_path / "tree"


def build(checkout: Path, *command: str) -> None:
    """Run a build tool where nothing is on the path."""
    (checkout.parent / "empty").mkdir()
    outside = {**os.environ, "PATH": str(checkout.parent / "empty")}
    done = subprocess.run([sys.executable, "-m", *command], cwd=checkout, env=outside, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wheel_has_the_page(checkout, tmp_path):
    build(checkout, "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path / "wheels"))
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    with ZipFile(wheel) as packed:
        names = set(packed.namelist())
        document = packed.read("mendel/api/page/index.html").decode()
    assert not any("node_modules" in name for name in names)
    assets = [part.partition('"')[0] for part in document.split('="/')[1:]]
    assert len(assets) >= 3
    assert {f"mendel/api/page/{asset}" for asset in assets} <= names
    assert not (checkout / "web" / "node_modules").exists()


def test_an_editable_install_builds_nothing(checkout):
    script = "import hatchling.build as b, sys; b.build_editable(sys.argv[1])"
    (checkout.parent / "out").mkdir()
    subprocess.run(
        [sys.executable, "-c", script, str(checkout.parent / "out")], cwd=checkout, check=True, capture_output=True
    )
    assert list((checkout.parent / "out").glob("*.whl"))
    assert not (checkout / "src" / "mendel" / "api" / "page").exists()


def test_a_source_distribution_has_what_the_page_is_built_from(checkout, tmp_path):
    build(checkout, "hatchling", "build", "-t", "sdist", "-d", str(tmp_path / "dist"))
    (packed,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"hatch_build.py", "web/package-lock.json", "web/.npmrc", "web/index.html", "web/src/main.tsx"} <= names
    assert not any("node_modules" in name or name.startswith("src/mendel/api/page/") for name in names)
