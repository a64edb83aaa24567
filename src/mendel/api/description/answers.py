"""Examples of requests and answers, added next to their schemas."""

from __future__ import annotations

from typing import Any, Final

from mendel.api.description.operations import Operation
from mendel.api.examples import examples

_STREAM: Final = "text/event-stream"
"""A media type without a schema, which would describe frames and not the whole text."""


def exemplify(operation: Operation) -> None:
    """Add examples of requests and answers to an operation; the routes of domains have examples in their schemas."""
    for parameter in operation.parameters:
        _parameter(parameter)
    if operation.name in examples("requests"):
        _shown(operation.told["requestBody"], f"{operation.name}.request")
    for status, answer in operation.told["responses"].items():
        if status.startswith("2") and operation.name in examples("answers"):
            _shown(answer, f"{operation.name}.answer")


def exchanged() -> dict[str, Any]:
    """Return every example by the name that operations refer to."""
    groups = {"request": examples("requests"), "answer": examples("answers")}
    return {f"{name}.{kind}": {"value": each} for kind, known in groups.items() for name, each in known.items()}


def _parameter(parameter: dict[str, Any]) -> None:
    known = examples("parameters").get(parameter["name"].lower())
    if known is not None and "examples" not in parameter["schema"]:
        parameter["example"] = known


def _shown(told: dict[str, Any], name: str) -> None:
    for kind, content in told.get("content", {}).items():
        content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}
        if kind != _STREAM:
            content.setdefault("schema", {"type": "string"})
