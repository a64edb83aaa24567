"""The page is in the wheel, which needs no Node and is installed as a tool."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.support import skip_or_fail
from tests.web.page_tools import ROOT

pytestmark = pytest.mark.xdist_group("web")


UV = Path(sys.executable).with_name("uv")
SLOW = """def unique(items: list[int]) -> list[int]:
    found: list[int] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found
"""


def tree_in(folder: Path) -> Path:
    """The tree as git knows it, and nothing that was built in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            copy = folder / "tree" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    return folder / "tree"


@pytest.fixture
def checkout(tmp_path):
    return tree_in(tmp_path)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, from a tree in which nothing was built before."""
    folder = tmp_path_factory.mktemp("wheel")
    tree, wheels = tree_in(folder), folder / "wheels"
    build(tree, "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels))
    assert not (tree / "web" / "node_modules").exists()
    (found,) = wheels.glob("*.whl")
    return found


def build(checkout: Path, *command: str) -> None:
    """Run a build tool where nothing is on the path."""
    (checkout.parent / "empty").mkdir()
    outside = {**os.environ, "PATH": str(checkout.parent / "empty")}
    done = subprocess.run([sys.executable, "-m", *command], cwd=checkout, env=outside, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wheel_has_the_page(wheel):
    with ZipFile(wheel) as packed:
        names = set(packed.namelist())
        document = packed.read("mendel/api/page/index.html").decode()
    assert not any("node_modules" in name for name in names)
    assets = [part.partition('"')[0] for part in document.split('="/')[1:]]
    assert len(assets) >= 3
    assert {f"mendel/api/page/{asset}" for asset in assets} <= names


def installed_as_tool(wheel: Path, folder: Path) -> Path:
    """The command `mendel` as `uv tool install` makes it, from uv's cache where that has the packages."""
    if not UV.exists():
        skip_or_fail("uv is not installed: make setup")
    environ = {**os.environ, "UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    command = [str(UV), "tool", "install", "--python", sys.executable, "--system-certs", str(wheel)]
    command += ["--constraints", str(ROOT / "requirements" / "core.txt")]
    done = subprocess.run([*command, "--offline"], env=environ, capture_output=True, text=True)
    if done.returncode:
        done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "mendel"


def test_the_wheel_is_installed_as_a_tool_and_breeds_outside_the_checkout(wheel, tmp_path):
    mendel = installed_as_tool(wheel, tmp_path)
    (tmp_path / "slow.py").write_text(SLOW)
    options = ("--objective", "opcodes", "--candidates", "4", "--no-best-of-n", "--seed", "7")
    done = subprocess.run(
        [str(mendel), "--home", "home", "--log", "file", "evolve", "slow.py:unique", *options, "--json"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "completed"


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
