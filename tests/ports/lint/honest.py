"""Programs, tools and traits that nobody should be bothered about."""

PROGRAMS = {
    "sort": "def f(xs):\n    return sorted(xs, key=lambda x: (-x, str(x)))",
    "memo": """
from functools import lru_cache, wraps
import sys

sys.setrecursionlimit(10_000)


def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner


@lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


if __name__ == "__main__":
    print(logged(fib)(30))
""",
    "class": """
from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Generic, TypeVar
import collections.abc
import heapq as hq

T = TypeVar("T")


class Shape(ABC):
    __slots__ = ("name",)

    def __init__(self, name="?"):
        super().__init__()
        self.name = name

    @abstractmethod
    def area(self): ...

    @property
    def title(self):
        return self.name.title()

    @title.setter
    def title(self, value):
        self.name = value

    def __repr__(self):
        return f"{self.__class__.__name__}({self.name!r}) of {type(self).__qualname__}"

    def __eq__(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self.area() == other.area()

    __hash__ = None


@dataclass(frozen=True, order=True)
class Point(Generic[T]):
    x: T
    y: T
    tags: list[str] = field(default_factory=list)

    def __post_init__(self):
        object.__setattr__(self, "x", self.x)


def push(heap: list, item) -> collections.abc.Sequence:
    hq.heappush(heap, item)
    return heap
""",
    "scopes": """
import re
total = 0
xs = [y for y in range(3) if (z := y) > 1]
print(z)


def outer(a, /, b=1, *args, c, **kwargs):
    count = 0

    def inner():
        nonlocal count
        global total, made_here
        made_here = count = total = a + b + c
        return later(count)

    return inner, args, kwargs


def later(n):
    try:
        return {k: v for k, v in zip("ab", [n, n])}
    except (ValueError, TypeError) as error:
        raise RuntimeError("bad") from error
    finally:
        del n


class Config:
    size = 3
    cells = [0 for _ in range(size)]


match xs:
    case [first, *rest] if first:
        print(first, rest, made_here)
    case {"a": one, **others} | {"b": one, **others}:
        print(one, others)
    case Config(size=3) as config:
        print(config)
    case _:
        pass
print(re.sub(r"\\d+", "{} of {}".format(1, 2), "7"))
""",
    "names-of-builtins": """
def f(input, id=None, open=3, vars=()):
    dir = [input, id, open, *vars]
    return dir


class Door:
    def open(self):
        return self

    def compile(self, format="{:>3}"):
        return self.open().compile()
""",
    "attributes-by-name": """
import operator
def f(xs, x):
    if hasattr(x, "size") and getattr(x, "size", 0) > 3:
        setattr(x, "size", 3)
    return sorted(xs, key=operator.attrgetter("a.b", "c")), operator.methodcaller("strip", " ")
""",
    "types": """
import itertools
def f(x: type, y: type[int] | None = None) -> type:
    assert isinstance(x, type) and type(x) is not int
    return [k for k, _ in itertools.groupby([1], type)] + list(map(type, [x, y]))
""",
    "messages": "TEXT = 'no {} of {:>3}'\nprint(TEXT.format('a', 1), __name__, '{x.real}'.format(x=1))",
    "generators": "def g():\n    yield from (i for i in range(3))\n    return (yield 1)\nx = sum(g())",
    "many-elifs": "def f(x):\n    if x == 0:\n        return 0\n" + "    elif x == 1:\n        return 1\n" * 400,
    "bom-free-cookie": "# -*- coding: utf-8 -*-\nx = 1",
    "star-args": "import math\nprint(*map(math.sqrt, [1, 4]), sep=', ', end='')\ndel math",
    "with": "import contextlib\nimport io\nwith contextlib.suppress(ValueError), io.StringIO() as s:\n    s.write('x')",
}

TOOLS = {
    "word-count": """
import argparse
import csv
import os.path
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    options = parser.parse_args(sys.argv[1:])
    with open(options.file) as lines:
        words = sum(len(line.split()) for line in lines)
    csv.writer(sys.stdout).writerow([os.path.basename(options.file), words])
    return 0


if __name__ == "__main__":
    sys.exit(main())
""",
    "filter": "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line.upper())",
    "ask": "import time\nprint(input('name? '), time.strftime('%Y'))",
}

TRAITS = {
    "wander": """
import math
import random
from dataclasses import dataclass

SPEED = 2.5
COLORS = ("#fff", "#000")
LIMITS = {"low": -SPEED, "high": SPEED * 2}


def length(x: float, y: float) -> float:
    return math.hypot(x, y)


class Wander(Trait):
    \"\"\"Moves a little, at a price.\"\"\"

    cost: float = 0.1

    def __init__(self, speed=SPEED, *, turns=3):
        self.speed = speed
        self.turns = turns

    def step(self, creature):
        creature.x += random.uniform(-self.speed, self.speed)
        return creature.energy

    async def rest(self, entity):
        entity.energy = min(entity.max_energy, entity.energy + 1)

    async def execute(self, entity):
        if entity.energy < self.cost or entity.state != "alive":
            await self.rest(entity)
            return
        me = entity
        left = self.step(me)
        try:
            me.y += length(me.x, left) / self.turns
        except ZeroDivisionError:
            me.color = COLORS[0]
        finally:
            me.radius = max(1.0, me.radius)
""",
    "handed-on-coroutine": """
class Chain(Trait):
    async def act(self, entity):
        entity.energy -= 1

    def choose(self, entity):
        return self.act(entity)

    async def execute(self, entity):
        await self.choose(entity)
""",
}
