"""Additions to the OpenAPI document: examples, all refusals of each operation, and which operations need a token.

They are derived from the operations, so that no route can lack them, including the routes of domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import APIRoute

from mendel.api.description.answers import exchanged, exemplify
from mendel.api.description.operations import Operation, operations
from mendel.api.description.refusals import describe_refusals, problem_examples
from mendel.api.description.tokens import SCHEMES, demand
from mendel.api.policy import Policy
from mendel.api.problems import Problem

Document = dict[str, Any]

_NEVER_SENT: Final = frozenset({"HTTPValidationError", "ValidationError"})
"""FastAPI's own error schemas, which are never used here: every refusal is a problem."""
SERVERS: Final = [{"url": "/", "description": "The server that serves this document."}]


def operation_id(route: APIRoute) -> str:
    """Return the route's name; routes on opened files have the name of the route on the log, with a suffix."""
    return f"{route.name}_of_file" if route.path_format.startswith("/api/files/{file_id}/runs") else route.name


def operation_id_of(domain: str) -> Callable[[APIRoute], str]:
    """Return the naming of a domain's own operations; the domain's name keeps their ids unique."""
    return lambda route: f"{domain}.{route.name}"


def install(app: FastAPI, policy: Policy) -> None:
    """Complete the OpenAPI document of ``app``; ``policy`` determines which operations need a token."""
    made = app.openapi

    @cache
    def openapi() -> Document:
        return described(made(), policy)

    app.openapi = openapi  # type: ignore[method-assign]


def described(document: Document, policy: Policy) -> Document:
    """Complete ``document`` in place, and return it."""
    parts = document.setdefault("components", {})
    known = {name: schema for name, schema in parts.get("schemas", {}).items() if name not in _NEVER_SENT}
    parts["schemas"] = {**known, **_schemas()}
    parts["securitySchemes"] = SCHEMES
    found = list(operations(document))
    for each in found:
        exemplify(each)
        describe_refusals(each)
        demand(each, policy)
    parts["examples"] = {**exchanged(), **problem_examples(_codes(found))}
    return document


def _schemas() -> Document:
    own = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**own.pop("$defs", {}), Problem.__name__: own}


def _codes(found: Iterable[Operation]) -> set[str]:
    return {code for each in found for code in each.codes}
