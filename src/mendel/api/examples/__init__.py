"""Examples of the OpenAPI document: what a real server was asked and has answered, shortened, by the operation's name.

`python -m tests.api.exemplify` asks a server for them anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Literal

import orjson
from pydantic import JsonValue

Group = Literal["answers", "parameters", "problems", "requests"]


@cache
def examples(group: Group) -> Mapping[str, JsonValue]:
    """Those of a group; each answer has a file of its own."""
    place = files(__package__)
    if group == "answers":
        return {PurePath(each.name).stem: _read(each) for each in place.joinpath(group).iterdir()}
    found = _read(place.joinpath(f"{group}.json"))
    return found if isinstance(found, dict) else {}


def _read(file: Traversable) -> JsonValue:
    found: JsonValue = orjson.loads(file.read_bytes())
    return found
