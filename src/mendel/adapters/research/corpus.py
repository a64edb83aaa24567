"""Loads an operator's corpus: a JSON-lines file of passages, or a folder of texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from mendel.contracts.errors import ConfigError
from mendel.contracts.retrieval import MAX_PASSAGE, Passage, one_line, plain_text

MAX_CORPUS_BYTES: Final = 64 * 1024 * 1024  # of all files together
PIECE: Final = 2_000
"""A text is split at its paragraphs into passages of about this many characters."""
_TEXTS: Final = frozenset({".md", ".txt"})
_TITLE: Final = 200


def load(place: Path) -> tuple[Passage, ...]:
    """Load the passages of a ``*.jsonl`` file or a text, or of all such files in a folder, in the order of their names.

    A line of a JSON-lines file is a :class:`~mendel.contracts.retrieval.Passage`: ``source``, ``title``, ``text`` and,
    optionally, ``uri``. A text (``*.md``, ``*.txt``) is split at its paragraphs, and its first line is the title.

    Raises:
        ConfigError: the corpus is unreadable or too large, or a line of it is not a passage.
    """
    try:
        files = _files(place)
        size = sum(file.stat().st_size for file in files)
        if size > MAX_CORPUS_BYTES:
            raise ConfigError(f"the corpus {place} has {size:,} bytes; at most {MAX_CORPUS_BYTES:,} are read")
        return tuple(passage for file in files for passage in _passages(file, place))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the corpus {place} cannot be read: {error}") from error


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    return sorted(file for file in place.rglob("*") if file.suffix in {".jsonl", *_TEXTS} and file.is_file())


def _passages(file: Path, place: Path) -> Iterator[Passage]:
    text = file.read_text(encoding="utf-8")
    if file.suffix in _TEXTS:
        name = str(file.relative_to(place)) if place.is_dir() else file.name
        yield from _pieces(text, name)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _passage(line, file, number)


def _passage(line: str, file: Path, number: int) -> Passage:
    try:
        return Passage.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise ConfigError(f"{file}, line {number} is not a passage: {where}: {first['msg']}") from error


def _pieces(text: str, name: str) -> Iterator[Passage]:
    head = next((line for line in text.splitlines() if line.strip()), name)
    title = one_line(head.lstrip("# "), _TITLE) or name
    for piece in _cut(plain_text(text, len(text) + 1)):
        yield Passage(source=one_line(name, _TITLE), title=title, text=piece)


def _cut(text: str) -> Iterator[str]:
    """Group whole paragraphs up to the size of a piece; only a paragraph above the maximum size is split itself."""
    piece = ""
    for paragraph in (part.strip() for part in text.split("\n\n")):
        if piece and len(piece) + len(paragraph) > PIECE:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece and paragraph else piece or paragraph
        while len(piece) > MAX_PASSAGE:
            yield piece[:MAX_PASSAGE]
            piece = piece[MAX_PASSAGE:]
    if piece:
        yield piece
