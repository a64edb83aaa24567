"""Faults: what goes wrong, how often, and for whom.

One fault is a JSON object: ``{"fault": NAME, "times": 1, "after": 0, "match": {"path": …, "model": …, "contains": …}}``
and the fault's own parameters. ``times`` null is for ever, ``after`` lets that many matching requests pass first, and
``match`` narrows it to a path, a model, or bodies that contain a text. The first that matches is taken, one a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from tests.support.model_server.http import Request
from tests.support.model_server.values import Json

Needs = Literal["anything", "chat", "schema", "usage", "vectors"]
"""What a request must ask for so that the fault can be seen in the answer; to others it does not happen."""

_OWN: Final = frozenset({"fault", "times", "after", "match"})
_MATCHES: Final = frozenset({"path", "model", "contains"})


class Known(NamedTuple):
    """A fault there is: what it needs, and its parameters with their defaults."""

    needs: Needs
    parameters: Mapping[str, Any] = {}


_STATUS: Final = Known("anything")
_SAID: Final = Known("chat")
_STRUCTURE: Final = Known("schema")
_USAGE: Final = Known("usage")

FAULTS: Final[dict[str, Known]] = {
    # errors that a provider tells
    "400": _STATUS,
    "401": _STATUS,
    "403": _STATUS,
    "404": _STATUS,
    "413": _STATUS,
    "429": Known("anything", {"retry_after": 1}),
    "429_date": Known("anything", {"retry_after": 1}),
    "quota": _STATUS,
    "500": _STATUS,
    "503": Known("anything", {"retry_after": None}),
    "529": _STATUS,
    "schema_refused": _STRUCTURE,
    "echo_key": Known("anything", {"status": 401}),
    "error_in_200": _SAID,
    "redirect": Known("anything", {"location": "http://127.0.0.2:9/", "status": 307}),
    # connections
    "delay": Known("anything", {"seconds": 0.05}),
    "hang": _STATUS,
    "drip": Known("anything", {"seconds": 0.02}),
    "drip_head": Known("anything", {"seconds": 0.02}),
    "cut": _STATUS,
    "cut_body": _STATUS,
    "reset": _STATUS,
    "reset_body": _STATUS,
    # envelopes
    "bad_envelope": _STATUS,
    "bad_utf8": _STATUS,
    "html": _STATUS,
    "odd_envelope": _STATUS,
    "gzip_bomb": Known("anything", {"bytes": 64 * 1024 * 1024}),
    "cookie": Known("anything", {"cookie": "planted=1; Path=/"}),
    # what the model says
    "not_json": _SAID,
    "fenced": _SAID,
    "prose": _SAID,
    "truncated": _SAID,
    "two_objects": _SAID,
    "duplicate_key": _STRUCTURE,
    "missing_field": _STRUCTURE,
    "wrong_type": _STRUCTURE,
    "extra_field": _STRUCTURE,
    "wrong_once": _STRUCTURE,
    "huge": Known("chat", {"bytes": 11 * 1024 * 1024}),
    "endless": _SAID,
    "empty": _SAID,
    "null": _SAID,
    "refusal": _SAID,
    "length": _SAID,
    "unknown_tool": Known("chat", {"name": "delete_everything"}),
    "bad_arguments": _SAID,
    # what it says that it used
    "usage_missing": _USAGE,
    "usage_negative": _USAGE,
    "usage_absurd": Known("usage", {"tokens": 10**18}),
    "usage_strings": _USAGE,
    # vectors
    "fewer_vectors": Known("vectors"),
    "ragged_vectors": Known("vectors"),
    "odd_vectors": Known("vectors"),
    "reordered_vectors": Known("vectors"),
}
"""Every fault, by name. ``wrong_once`` is ``missing_field`` that happens once however often it is asked for."""


@dataclass(slots=True)
class Fault:
    """A fault that was programmed; ``left`` is how often it will still happen, None for ever."""

    name: str
    left: int | None = 1
    after: int = 0
    match: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Json) -> Fault:
        """A fault as it is written in JSON.

        Raises:
            ValueError: there is none of that name, or it has no such parameter.
        """
        name = given.get("fault")
        known = FAULTS.get(name) if isinstance(name, str) else None
        if name is None or known is None:
            raise ValueError(f"there is no fault {name!r}; there are {', '.join(FAULTS)}")
        times, after, match = given.get("times", 1), given.get("after", 0), dict(given.get("match") or {})
        odd = (given.keys() - _OWN - known.parameters.keys()) | (match.keys() - _MATCHES)
        if odd or not isinstance(times, int | None) or not isinstance(after, int):
            raise ValueError(
                f"the fault {name} has times, after, match{''.join(f', {one}' for one in known.parameters)}"
            )
        own = {key: value for key, value in given.items() if key not in _OWN}
        return cls(name, 1 if name == "wrong_once" else times, after, match, {**known.parameters, **own})

    def happens(self, request: Request, model: str | None, asked: frozenset[Needs]) -> bool:
        """Whether it happens to this request; if so, it has happened."""
        if self.left == 0 or FAULTS[self.name].needs not in asked or not self._matches(request, model):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        self.left = None if self.left is None else self.left - 1
        return True

    def _matches(self, request: Request, model: str | None) -> bool:
        wanted = self.match
        return (
            wanted.get("path", request.path) == request.path
            and wanted.get("model", model) == model
            and wanted.get("contains", "").encode() in request.body
        )

    def shown(self) -> Json:
        """The fault as JSON, with what is left of it."""
        return {"fault": self.name, "times": self.left, "after": self.after, "match": dict(self.match)} | dict(
            self.parameters
        )


def first(faults: Sequence[Fault], request: Request, model: str | None, asked: frozenset[Needs]) -> Fault | None:
    """The fault that happens to this request."""
    return next((each for each in faults if each.happens(request, model, asked)), None)
