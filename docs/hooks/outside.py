"""A hook of the site: what pages link to outside of this folder becomes a page of the site.

On a forge such a link leads to the file itself. For the site the changelog and the like are pages with names of their
own, and any other file is shown as it is under ``source/``. Nothing of that is written into this folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = "docs"
PAGES: Final[Mapping[str, str]] = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "tests/README.md": "testing.md",
    "README.md": "readme.md",
}
"""Texts of the repository that are pages of the site, and their names there."""

_LINK: Final = re.compile(r"(?<=\]\()([^)#\s]+)(?=[)#])")
_LANGUAGES: Final[Mapping[str, str]] = {".py": "python", ".toml": "toml", ".json": "json", ".md": "markdown"}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for every file outside that some page links to."""
    for place, name in PAGES.items():
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content=(ROOT / place).read_text(encoding="utf-8")))
    for place in sorted({place for page in files.documentation_pages() for place in _outside(page)}):
        files.append(File.generated(config, _name(place), content=_shown(place)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - as called
    """Turn every link to a file outside into one to its page."""

    def turned(match: re.Match[str]) -> str:
        place = _place(page.file.src_uri, match[1])
        if place is None:
            return match[1]
        return posixpath.relpath(_name(place), posixpath.dirname(page.file.src_uri) or ".")

    return _LINK.sub(turned, markdown)


def _outside(page: File) -> Iterator[str]:
    """The files that are shown under ``source/`` for this page."""
    for match in _LINK.finditer(page.content_string):
        place = _place(page.src_uri, match[1])
        if place is not None and not place.startswith(f"{DOCS}/") and place not in PAGES:
            yield place


def _place(name: str, target: str) -> str | None:
    """Where in the repository a link of the page ``name`` leads; None for addresses, and where there is no file."""
    written = next((place for place, known in PAGES.items() if known == name), f"{DOCS}/{name}")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(written), target))
    inside = "://" not in target and not place.startswith("..")
    return place if inside and (ROOT / place).is_file() else None


def _name(place: str) -> str:
    """What a file of the repository is called on the site."""
    if place.startswith(f"{DOCS}/"):
        return place.removeprefix(f"{DOCS}/")
    return PAGES.get(place, f"source/{place}.md")


def _shown(place: str) -> str:
    text = (ROOT / place).read_text(encoding="utf-8")
    return f"# {place}\n\n`````{_LANGUAGES.get(Path(place).suffix, 'text')}\n{text}\n`````\n"
