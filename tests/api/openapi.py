"""The OpenAPI document of the observatory: `python -m tests.api.openapi web/openapi.json` writes it for the page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.app import create_app
from mendel.api.domains import DOMAINS
from mendel.api.services import Services
from mendel.api.source import RunSource


def document() -> dict[str, Any]:
    """As `/api/openapi.json` answers."""
    source = RunSource(MemoryEventLog(), MemoryReadModels())
    return create_app(Services(source=source, domains=DOMAINS)).openapi()


def spelled() -> bytes:
    """As it stands in the repository."""
    return orjson.dumps(document(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(spelled())
