"""Which operations a token is needed for, as this server was told; where none is needed, one does no harm."""

from __future__ import annotations

from typing import Any, Final

from mendel.api.description.operations import Operation
from mendel.api.policy import Policy
from mendel.api.security import may_need_token, needs_token

SCHEMES: Final[dict[str, Any]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "What the variable holds that `serve.token_env` names. Changes need it where one is set, and"
        " reading with `serve.read_token`.",
    }
}
_NEEDED: Final[list[dict[str, list[str]]]] = [{"token": []}]


def demand(operation: Operation, policy: Policy) -> None:
    """Say whether it needs a token: it does, it may elsewhere, or it never does."""
    if not may_need_token(operation.method, operation.path):
        operation.told["security"] = []
    else:
        needed = needs_token(operation.method, operation.path, policy)
        operation.told["security"] = _NEEDED if needed else [{}, *_NEEDED]
