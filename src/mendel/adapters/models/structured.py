"""From a model's text to a value that fits its schema, or to the complaints that it does not (rule 5).

A fence round the JSON and words before or after it are taken off; what is left has to be one JSON value, whole. Two of
them, a cut one, a key twice, NaN: nothing of that is guessed at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Final, NoReturn

from pydantic import BaseModel, ValidationError

from mendel.contracts.base import JsonObject

MAX_COMPLAINTS: Final = 20
_LONGEST: Final = 500
_DIGITS: Final = 1_000
_OPENING: Final = re.compile(r"[{\[]")
_BRACKET: Final = re.compile(r"[{}\[\]]")
_INSIDE: Final = re.compile(r"\"\s{0,100}:\s{0,100}\Z")
_LINE_BEFORE: Final = re.compile(r"(?:\A\ufeff?|\n)[ \t]{0,100}\Z")
_LINE_AFTER: Final = re.compile(r"[ \t]{0,100}(?:\r?\n|\Z)")
_GOES_ON: Final = re.compile(r"\s{0,100}[,:\"]")


class NotJson(ValueError):
    """A text that is not one JSON value."""


def read(text: str, model: type[BaseModel]) -> BaseModel | tuple[str, ...]:
    """The value of ``text``, or what is wrong with it."""
    try:
        return model.model_validate_json(json_in(text))
    except NotJson as error:
        return (str(error),)
    except ValidationError as error:
        return tuple(_complaints(error))


def json_in(text: str) -> str:
    """The one JSON value that ``text`` consists of, or holds on lines of its own, between words without a bracket.

    Within a line it may be what somebody else is quoted with.

    Raises:
        NotJson: there is none, more than one, or half of one.
    """
    found = _OPENING.search(text)
    if found is None:
        raise NotJson("the answer has no JSON in it; answer with one JSON object")
    start = found.start()
    end = _decoded(text, start)
    before, after = text[:start], text[end:]
    if _BRACKET.search(before) or _BRACKET.search(after) or _INSIDE.search(before) or _GOES_ON.match(after):
        raise NotJson("there is more than one JSON value, or half of one; answer with one JSON object and nothing else")
    if not _LINE_BEFORE.search(before) or not _LINE_AFTER.match(after):
        raise NotJson("the JSON stands within a line of words; answer with one JSON object and nothing else")
    return text[start:end]


def _decoded(text: str, start: int) -> int:
    """Where the JSON value ends that begins there."""
    try:
        return _STRICT.raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        cut = " (it seems to be cut off)" if error.pos >= len(text.rstrip()) - 1 else ""
        raise NotJson(f"no valid JSON: {error.msg} at character {error.pos - start}{cut}") from error
    except RecursionError as error:
        raise NotJson("the JSON is nested too deeply") from error


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJson("the JSON has a key twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON number")


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise NotJson(f"a number of {len(digits):,} digits is none that anybody reads")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise NotJson("a number is too large to be one")
    return number


_STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer, parse_float=_decimal
)


def _complaints(error: ValidationError) -> Iterator[str]:
    for each in error.errors(include_url=False, include_input=False, include_context=False)[:MAX_COMPLAINTS]:
        place = ".".join(map(_plain, each["loc"])) or "the whole answer"
        yield f"{place}: {each['msg']}"[:_LONGEST]


def _plain(part: int | str) -> str:
    """A step of a place; a key that a model invented may be any text, and is not repeated."""
    return str(part) if isinstance(part, int) or part.isidentifier() else "(a key)"


def schema_of(model: type[BaseModel]) -> JsonObject:
    """The JSON Schema that an answer is held to."""
    return model.model_json_schema()


def strict_subset(schema: JsonObject) -> bool:
    """Whether a provider that enforces schemas takes this one: objects closed, every key required, no open unions."""
    return schema.get("type") == "object" and all(_closed(each) for each in _objects(schema)) and not _unions(schema)


def _closed(schema: JsonObject) -> bool:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return False
    return schema.get("additionalProperties") is False and set(properties) == set(map(str, required))


def _objects(schema: object) -> Iterator[JsonObject]:
    for each in _walk(schema):
        if each.get("type") == "object":
            yield each


def _unions(schema: object) -> bool:
    """What strict providers refuse: a choice by discriminator, and a place where anything may stand."""
    return any(not each or "oneOf" in each or "discriminator" in each for each in _walk(schema))


def _walk(schema: object) -> Iterator[JsonObject]:
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
