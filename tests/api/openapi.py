"""The OpenAPI document of the observatory: `python -m tests.api.openapi web/openapi.json` writes it for the page."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import orjson
from starlette.routing import compile_path

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.app import create_app
from mendel.api.problems import PROBLEM
from mendel.api.services import Services
from mendel.api.source import RunSource

WRITTEN = Path(__file__).parents[2] / "web" / "openapi.json"


def document() -> dict[str, Any]:
    """As `/api/openapi.json` answers."""
    source = RunSource(MemoryEventLog(), MemoryReadModels())
    return create_app(Services(source=source)).openapi()


def written() -> dict[str, Any]:
    """As it stands in the repository: the same, says `tests/web/test_types.py`, and there in a moment."""
    found: dict[str, Any] = orjson.loads(WRITTEN.read_bytes())
    return found


def refuse_undeclared(answer: httpx.Response) -> None:
    """Whatever a test provokes: each refusal stands in the document, with its status and its code."""
    operation = _operation(answer.request.method.lower(), answer.request.url.path)
    if operation is None or answer.headers.get("content-type") != PROBLEM:
        return
    told = json.loads(answer.read())
    responses = operation["responses"]
    assert str(told["status"]) in responses, f"{operation['operationId']} does not declare {told}"
    codes = responses[str(told["status"])]["content"][PROBLEM]["examples"]
    assert told["code"] in codes, f"{operation['operationId']} does not declare {told}"


@cache
def _paths() -> dict[str, Any]:
    return dict(written()["paths"])


def _operation(method: str, path: str) -> dict[str, Any] | None:
    exact = [path] if path in _paths() else [each for each in _paths() if compile_path(each)[0].match(path)]
    return next((_paths()[each].get(method) for each in exact), None)


def spelled() -> bytes:
    """As it stands in the repository."""
    return orjson.dumps(document(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(spelled())
