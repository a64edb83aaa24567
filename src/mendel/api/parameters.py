"""Checks of query parameters: unknown parameters are refused.

Otherwise a misspelt filter would be ignored, and the unfiltered answer would look right.
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
    """Refuse query parameters that the route does not have; a dependency of every route."""
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute | APIWebSocketRoute):
        return
    known = _names(route.dependant)
    told = f"unknown here; known are: {', '.join(sorted(known))}" if known else "unknown; no parameters are allowed"
    unknown = sorted(set(request.query_params) - known)
    if unknown and isinstance(route, APIWebSocketRoute):
        raise WebSocketException(1008, f"{told}; not {unknown[0][:20]!r}"[:120])  # a close reason has at most 123 bytes
    if unknown:
        raise RequestValidationError([{"loc": ("query", name), "msg": told, "type": "unknown"} for name in unknown])


def _names(needs: Dependant) -> frozenset[str]:
    """Return the names of a route's query parameters, including those of its dependencies."""
    own = frozenset(field.alias for field in needs.query_params)
    return own.union(*(_names(each) for each in needs.dependencies))


def _known_type(name: str) -> str:
    if name not in EVENT_PAYLOADS:
        raise ValueError(f"unknown event type {name[:64]!r}; known are: {', '.join(EVENT_PAYLOADS)}")
    return name


EventType = Annotated[
    str, AfterValidator(_known_type), WithJsonSchema({"type": "string", "enum": sorted(EVENT_PAYLOADS)})
]
"""An event type of the closed registry; docs/events.md lists them."""
