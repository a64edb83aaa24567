"""The examples of docs/plugins as an installed distribution: what stands on the pages is what is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(page for page in (ROOT / "docs" / "plugins").glob("*.md") if page.stem != "index")
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "mendel-docs-examples"
version = "0.1"

[tool.hatch.build.targets.wheel]
only-include = ["src"]
sources = ["src"]

"""


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def entry_points(page: Path) -> str:
    """The one block by which the example of a page is registered."""
    (found,) = (block for block in blocks(page, "toml") if block.startswith("[project.entry-points."))
    return found


def module(page: Path) -> str:
    """The name of the module that a page's entry points name."""
    (name,) = set(re.findall(r'= "(\w+):\w+"', entry_points(page)))
    return name


def install(project: Path, target: Path) -> None:
    """Write the package of all pages into ``project`` and install it into ``target``."""
    (project / "src").mkdir(parents=True)
    (project / "pyproject.toml").write_text(PROJECT + "\n".join(map(entry_points, PAGES)))
    for page in PAGES:
        (code,) = blocks(page, "python")
        (project / "src" / f"{module(page)}.py").write_text(code)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(target), str(project)),
        ],
        check=True,
        capture_output=True,
    )
