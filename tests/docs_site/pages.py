"""The examples of docs/plugins as an installed distribution: what stands on the pages is what is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CHAMPIONS = ROOT / "docs" / "plugins" / "champions.md"
"""A package of its own."""
PAGES = sorted({*(ROOT / "docs" / "plugins").glob("*.md")} - {ROOT / "docs" / "plugins" / "index.md", CHAMPIONS})
INDEX = ROOT / "docs" / "plugins" / "index.md"


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


def modules(page: Path) -> dict[str, str]:
    """The code of a page by module: the first is the one of its entry points, another is named by the line above it."""
    first, *others = blocks(page, "python")
    named = re.findall(r"`(\w+)\.py`:\n\n```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    found = {module(page): first, **{name: code for name, code in named if code != first}}
    assert [*found.values()] == [first, *others], f"{page.name} has Python that is in no module"
    return found


def project() -> str:
    """The pyproject.toml of the overview, with the entry points that the pages add to it."""
    (overview,) = (block for block in blocks(INDEX, "toml") if "[project]" in block)
    added = (block for block in map(entry_points, PAGES) if block not in overview)
    return "\n".join((overview, *added))


def install(package: Path, target: Path) -> None:
    """Write the package of all pages, as they say it, into ``package`` and install it into ``target``."""
    package.mkdir(parents=True)
    (package / "pyproject.toml").write_text(project())
    for page in PAGES:
        for name, code in modules(page).items():
            (package / f"{name}.py").write_text(code)
    _installed(package, target)


def install_champions(package: Path, target: Path) -> None:
    """The package of the page on champions, likewise."""
    package.mkdir(parents=True)
    (pyproject,) = (block for block in blocks(CHAMPIONS, "toml") if "[project]" in block)
    (package / "pyproject.toml").write_text(pyproject)
    named = re.findall(r"`(\w+)\.py`:\n\n```python\n(.*?)^```$", CHAMPIONS.read_text(), re.DOTALL | re.MULTILINE)
    assert [code for _, code in named] == blocks(CHAMPIONS, "python")
    for name, code in named:
        (package / f"{name}.py").write_text(code)
    _installed(package, target)


def _installed(package: Path, target: Path) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(target), str(package)),
        ],
        check=True,
        capture_output=True,
    )
