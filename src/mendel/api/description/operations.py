"""The operations of an OpenAPI document, as the describers see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Operation:
    """One operation; ``told`` is what the document says of it, and is added to. ``codes`` are those of its refusals."""

    method: str
    path: str
    told: dict[str, Any]
    codes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its id; what is read of a file is like what is read of the log."""
        return str(self.told["operationId"]).removesuffix("_of_file")

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """Its parameters."""
        return list(self.told.get("parameters", ()))

    def has(self, *names: str) -> bool:
        """Whether any of these is a parameter of it."""
        return any(each["name"].lower() in names for each in self.parameters)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    """Each of them."""
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield Operation(method.upper(), path, told)
