"""Parses a model's text into a value that fits its schema, or into complaints about it (rule 5).

A code fence around the JSON and words before or after it are removed; the rest must be one complete JSON value. Several
values, truncated values, duplicate keys and NaN are rejected; nothing is guessed.
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
_LONGEST: Final = 500  # characters of one complaint
_DIGITS: Final = 1_000  # longer integers take quadratic time to parse
_OPENING: Final = re.compile(r"[{\[]")
_BRACKET: Final = re.compile(r"[{}\[\]]")
_INSIDE: Final = re.compile(r"\"\s{0,100}:\s{0,100}\Z")  # a key directly before a bracket
_LINE_BEFORE: Final = re.compile(r"(?:\A\ufeff?|\n)[ \t]{0,100}\Z")  # only spaces before it on its line
_LINE_AFTER: Final = re.compile(r"[ \t]{0,100}(?:\r?\n|\Z)")  # only spaces after it on its line
_GOES_ON: Final = re.compile(r"\s{0,100}[,:\"]")  # JSON continues after the value


class NotJson(ValueError):
    """A text that is not exactly one JSON value."""


def read(text: str, model: type[BaseModel]) -> BaseModel | tuple[str, ...]:
    """Return the value of ``text``, or a tuple of complaints about it."""
    try:
        return model.model_validate_json(json_in(text))
    except NotJson as error:
        return (str(error),)
    except ValidationError as error:
        return tuple(_complaints(error))


def json_in(text: str) -> str:
    """Return the only JSON value in ``text``: alone, or on lines of its own between words without brackets.

    JSON within a line of words is rejected, since it may be a quotation.

    Raises:
        NotJson: there is no value, more than one, or a truncated one.
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
    """Return the end position of the JSON value that begins at ``start``."""
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
    """Return one step of a field's path; a key that a model invented may contain any text, and is not repeated."""
    return str(part) if isinstance(part, int) or part.isidentifier() else "(a key)"


def schema_of(model: type[BaseModel]) -> JsonObject:
    """Return the JSON Schema that an answer must fit."""
    return model.model_json_schema()


def strict_subset(schema: JsonObject) -> bool:
    """Whether providers that enforce schemas accept this one: closed objects, all keys required, no open unions."""
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
    """Whether it has what strict providers refuse: discriminated unions, or a place that allows any value."""
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
