"""What may be asked for in a query: filters that somebody knows, and nothing that nobody reads.

A filter that is misspelt would look like an answer: an empty list, or everything.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import WebSocketException
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, APIWebSocketRoute
from pydantic import AfterValidator, WithJsonSchema
from starlette.requests import HTTPConnection

from mendel.contracts.events.registry import EVENT_PAYLOADS


async def known_parameters(request: HTTPConnection) -> None:
    """For every route: refuses a parameter that it does not have."""
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute | APIWebSocketRoute):
        return
    known = _names(route.dependant)
    told = f"it is not known here; known are: {', '.join(sorted(known))}" if known else "nothing can be asked for here"
    unknown = sorted(set(request.query_params) - known)
    if unknown and isinstance(route, APIWebSocketRoute):
        raise WebSocketException(1008, f"{told}; not {unknown[0][:20]!r}"[:120])
    if unknown:
        raise RequestValidationError([{"loc": ("query", name), "msg": told, "type": "unknown"} for name in unknown])


def _names(needs: Dependant) -> frozenset[str]:
    """Of the parameters of a query, those of what it depends on, too."""
    own = frozenset(field.alias for field in needs.query_params)
    return own.union(*(_names(each) for each in needs.dependencies))


def _known_type(name: str) -> str:
    if name not in EVENT_PAYLOADS:
        raise ValueError(f"there are no events of the type {name[:64]!r}; known are: {', '.join(EVENT_PAYLOADS)}")
    return name


EventType = Annotated[
    str, AfterValidator(_known_type), WithJsonSchema({"type": "string", "enum": sorted(EVENT_PAYLOADS)})
]
"""One of the closed registry; docs/events.md has all of them."""
