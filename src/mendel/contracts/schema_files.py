"""Write the JSON Schemas of tasks and results: ``python -m mendel.contracts.schema_files schemas``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mendel.contracts.base import Contract
from mendel.contracts.tasks import Result, Task

_MODELS: Final[Mapping[str, type[Contract]]] = {"task.schema.json": Task, "result.schema.json": Result}


def schema_texts() -> dict[str, str]:
    """Return file name to content; the result is deterministic."""
    return {name: _text(model) for name, model in _MODELS.items()}


def write(folder: Path) -> None:
    """Write every schema into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schema_texts().items():
        (folder / name).write_text(text, encoding="utf-8")


def _text(model: type[Contract]) -> str:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **_draft_07(model.model_json_schema())}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def _draft_07(value: object) -> dict[str, object]:
    """Convert a schema of draft 2020-12, which pydantic writes: its definitions have another key."""
    text = json.dumps(value).replace("#/$defs/", "#/definitions/").replace('"$defs"', '"definitions"')
    loaded: dict[str, object] = json.loads(text)
    return loaded


if __name__ == "__main__":
    write(Path(sys.argv[1]))
