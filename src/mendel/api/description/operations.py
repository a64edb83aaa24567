"""The operations of an OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Operation:
    """One operation; ``told`` is its part of the document, which is extended. ``codes`` are those of its refusals."""

    method: str
    path: str
    told: dict[str, Any]
    codes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its id, without the suffix of routes on files, which share the examples of routes on the log."""
        return str(self.told["operationId"]).removesuffix("_of_file")

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """Its parameters in the document."""
        return list(self.told.get("parameters", ()))

    def has(self, *names: str) -> bool:
        """Whether it has any of these parameters."""
        return any(each["name"].lower() in names for each in self.parameters)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    """Yield every operation."""
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield Operation(method.upper(), path, told)
