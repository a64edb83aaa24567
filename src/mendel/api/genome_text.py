"""What was bred, as something to read: files where the domain has them, else the data itself; and how two differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, cast

import orjson
import structlog
from pydantic import JsonValue

from mendel.api.schemas_candidates import SourceFile, SourceText
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.projections.report.patch import unified_patch

TextOf = Callable[[Genome, Candidate | None], SourceText | None]
"""A domain's own way to make its material readable; None where it cannot."""

_LANGUAGES: Final[Mapping[str, str]] = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "rs": "rust",
    "c": "c",
    "h": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "go": "go",
    "java": "java",
    "json": "json",
    "toml": "toml",
    "sh": "bash",
    "sql": "sql",
    "md": "markdown",
}


def language_of(path: str) -> str:
    """What a file is written in, by its name."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "text")


def files_text(files: Mapping[str, str]) -> SourceText | None:
    """Files as one text; where there are several, each has its name above it."""
    if not files:
        return None
    parts = [SourceFile(path=path, source=source) for path, source in sorted(files.items())]
    whole = parts[0].source if len(parts) == 1 else "\n".join(f"--- {each.path}\n{each.source}" for each in parts)
    return SourceText(language=language_of(parts[0].path), source=whole, files=parts)


def text_of(own: TextOf | None, genome: Genome | None, candidate: Candidate | None) -> SourceText | None:
    """What is to be read of a genome: as its domain says, else its files, else its data as they stand in the log."""
    if genome is None:
        return _data(candidate.content) if candidate is not None else None
    found = _own_text(own, genome, candidate) if own is not None else None
    return found or _recorded_files(genome.traits) or _data(genome.traits)


def _own_text(own: TextOf, genome: Genome, candidate: Candidate | None) -> SourceText | None:
    """As the domain says; where its function fails, or answers with something else, the plain text stays."""
    failed = partial(structlog.get_logger(__name__).error, "text_failed", domain=genome.traits.domain)
    try:
        found = cast("object", own(genome, candidate))
    except Exception as error:  # noqa: BLE001 - third-party code is a boundary; a page of its run is still shown
        failed(error=type(error).__name__)
        return None
    if isinstance(found, SourceText | None):
        return found
    failed(error=f"it answers with a {type(found).__name__}, not a SourceText")
    return None


def difference(before: SourceText | None, after: SourceText | None) -> str | None:
    """What turns one into the other, as a unified diff; none where one of them is not there."""
    if before is None or after is None:
        return None
    old, new = _parts(before), _parts(after)
    return "".join(unified_patch(path, old.get(path, ""), new.get(path, "")) for path in sorted({*old, *new}))


def _parts(text: SourceText) -> dict[str, str]:
    return {each.path: each.source for each in text.files} or {"candidate": text.source}


def _recorded_files(payload: DomainPayload) -> SourceText | None:
    files: JsonValue = payload.data.get("files")
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        return None
    return files_text({path: str(source) for path, source in files.items()})


def _data(payload: DomainPayload) -> SourceText:
    pretty = orjson.dumps(payload.data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    return SourceText(language="json", source=f"{pretty}\n")
