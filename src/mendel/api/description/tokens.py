"""Which operations require a token under this server's policy; elsewhere a token is optional."""

from __future__ import annotations

from typing import Any, Final

from mendel.api.description.operations import Operation
from mendel.api.policy import Policy
from mendel.api.security import may_need_token, needs_token

SCHEMES: Final[dict[str, Any]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The value of the variable that `serve.token_env` names. If it is set, changes require it; with"
        " `serve.read_token`, reading does, too.",
    }
}
_NEEDED: Final[list[dict[str, list[str]]]] = [{"token": []}]


def demand(operation: Operation, policy: Policy) -> None:
    """Declare that an operation needs a token here, may need one on other servers, or never does."""
    if not may_need_token(operation.method, operation.path):
        operation.told["security"] = []
    else:
        needed = needs_token(operation.method, operation.path, policy)
        operation.told["security"] = _NEEDED if needed else [{}, *_NEEDED]
