"""Values that fit a JSON Schema: the least one, or one drawn from a hash."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, Final

from tests.support.model_server.patterns import matching
from tests.support.model_server.values import Json

DEPTH: Final = 6
"""From here on everything that may be left out is."""
_MORE_ITEMS: Final = 2
_SPAN: Final = 100
_WORDS: Final = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "juniper")
_FORMATS: Final = {
    "date-time": lambda n: f"20{n % 80:02}-0{n % 9 + 1}-1{n % 10}T0{n % 10}:00:00Z",
    "date": lambda n: f"20{n % 80:02}-0{n % 9 + 1}-1{n % 10}",
    "time": lambda n: f"0{n % 10}:00:00Z",
    "uuid": lambda n: f"{n:08x}-0000-4000-8000-{n:012x}",
    "uri": lambda n: f"http://site{n}.example/",
    "email": lambda n: f"somebody{n}@site.example",
}


class Draws:
    """Numbers that depend on ``source`` alone."""

    def __init__(self, source: str) -> None:
        self._state = blake2b(source.encode(errors="surrogatepass"), digest_size=16).digest()

    def __call__(self, below: int) -> int:
        """A number from 0 up to, but not including, ``below``."""
        self._state = blake2b(self._state, digest_size=16).digest()
        return int.from_bytes(self._state, "big") % below


def least(_below: int) -> int:
    """Draws that always come out as 0: the least of everything."""
    return 0


Draw = Callable[[int], int]
Write = Callable[[Draw], str]


def words(draw: Draw) -> str:
    """A few words, with capitals so that they differ."""
    return " ".join(_WORDS[draw(len(_WORDS))] + string.ascii_uppercase[draw(26)] for _ in range(1 + draw(5)))


class Instances:
    """Makes values that fit ``schema``; ``write`` writes the strings that are free, ``draw`` chooses."""

    def __init__(self, schema: Json, draw: Draw, write: Write = words) -> None:
        self._root = schema
        self._draw = draw
        self._write = write

    def make(self) -> Any:
        """One value."""
        return self._value(self._root, 0)

    def _value(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, dict):
            return None
        schema = self.resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][self._draw(len(schema["enum"]))]
        for union in ("anyOf", "oneOf"):
            if schema.get(union):
                return self._value(self._branch(schema[union], depth), depth)
        return self._typed(schema, depth)

    def resolved(self, schema: Json) -> Json:
        """The schema that a reference means, with what stands beside it and in ``allOf``."""
        while "$ref" in schema:
            found: Any = self._root
            for step in schema["$ref"].lstrip("#/").split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")] if step else found
            schema = {**found, **{key: each for key, each in schema.items() if key != "$ref"}}
        for part in schema.get("allOf", ()):
            schema = {**schema, **self.resolved(part)}
        return schema

    def _branch(self, branches: list[Json], depth: int) -> Json:
        if depth < DEPTH:
            return branches[self._draw(len(branches))]
        return min(branches, key=lambda each: len(repr(self.resolved(each))))

    def _typed(self, schema: Json, depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = kind[self._draw(len(kind))]
        made: dict[str, Callable[[], Any]] = {
            "object": lambda: self._object(schema, depth),
            "array": lambda: list(self._items(schema, depth)),
            "string": lambda: self._string(schema),
            "integer": lambda: self._integer(schema),
            "number": lambda: self._number(schema),
            "boolean": lambda: bool(self._draw(2)),
        }
        return made[kind]() if kind in made else None

    def _object(self, schema: Json, depth: int) -> Json:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        names = [name for name in properties if name in required or (depth < DEPTH and self._draw(2))]
        made = {name: self._value(properties[name], depth + 1) for name in names}
        further = schema.get("additionalProperties")
        for number in range(len(made), schema.get("minProperties", 0)):
            made[f"key{number}"] = self._value(further if isinstance(further, dict) else {}, depth + 1)
        return made

    def _items(self, schema: Json, depth: int) -> Iterator[Any]:
        least_items, most = schema.get("minItems", 0), schema.get("maxItems", schema.get("minItems", 0) + _MORE_ITEMS)
        room = 0 if depth >= DEPTH else min(most - least_items, _MORE_ITEMS)
        fixed = schema.get("prefixItems", [])
        seen: list[Any] = []
        for number in range(max(len(fixed), least_items + self._draw(room + 1))):
            value = self._value(fixed[number] if number < len(fixed) else schema.get("items", {}), depth + 1)
            if not schema.get("uniqueItems") or value not in seen:
                seen.append(value)
                yield value

    def _string(self, schema: Json) -> str:
        shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
        if "pattern" in schema:
            return matching(schema["pattern"], self._draw)
        made = _FORMATS.get(schema.get("format", ""))
        if made is not None:
            return made(self._draw(10_000))
        text = self._write(self._draw)
        while len(text) < shortest:
            text += f" {self._write(self._draw)}"
        return text if longest is None else text[:longest]

    def _integer(self, schema: Json) -> int:
        low, high = bounds(schema)
        step = schema.get("multipleOf", 1)
        first, last = -int(-low // step), int(high // step)
        return int((first + self._draw(max(1, last - first + 1))) * step)

    def _number(self, schema: Json) -> float:
        low, high = bounds(schema)
        return float(low + (high - low) * self._draw(1_001) / 1_000)


def bounds(schema: Json, most: float | None = None) -> tuple[float, float]:
    """The least and the greatest number that fit; where nothing bounds them, ``most`` or a hundred above the least."""
    whole = schema.get("type") == "integer"
    low = schema.get("minimum", 0)
    high = schema.get("maximum", most)
    if "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + (1 if whole else 1e-6)
    if "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - (1 if whole else 1e-6)
    if high is not None and "minimum" not in schema and "exclusiveMinimum" not in schema:
        low = min(low, high)
    return low, high if high is not None else low + _SPAN
