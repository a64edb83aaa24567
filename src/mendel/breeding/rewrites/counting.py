"""Counting and grouping: one dict operation in place of a test and an update, or a Counter in one step."""

from __future__ import annotations

from typing import Final

from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator
from mendel.breeding.view import reads, writes

_COUNTER: Final = ("import collections",)


def _separate(match: Match) -> bool:
    gap = match.block("gap")
    return match.name("d") not in reads(gap) | writes(gap) | reads(match.expr("x"))


STEPS: Final = (
    Rule("counted by get", "if $k in ?d:\n    ?d[$k] += $e\nelse:\n    ?d[$k] = $e", "?d[$k] = ?d.get($k, 0) + $e"),
    Rule("counted by get", "if $k not in ?d:\n    ?d[$k] = $e\nelse:\n    ?d[$k] += $e", "?d[$k] = ?d.get($k, 0) + $e"),
    Rule("counted by get", "if $k not in ?d:\n    ?d[$k] = 0\n?d[$k] += $e", "?d[$k] = ?d.get($k, 0) + $e"),
    Rule("grouped by setdefault", "if $k not in ?d:\n    ?d[$k] = []\n?d[$k].append($e)",
         "?d.setdefault($k, []).append($e)"),
    Rule("grouped by setdefault", "if $k in ?d:\n    ?d[$k].append($e)\nelse:\n    ?d[$k] = [$e]",
         "?d.setdefault($k, []).append($e)"),
    Rule("grouped by setdefault", "if $k not in ?d:\n    ?d[$k] = [$e]\nelse:\n    ?d[$k].append($e)",
         "?d.setdefault($k, []).append($e)"),
    Rule("looked up once", "if $k in ?d:\n    ?v = ?d[$k]\nelse:\n    ?v = $e", "?v = ?d.get($k, $e)"),
)  # fmt: skip

WHOLE: Final = (
    Rule("a Counter", "?d = {}\n$$gap\nfor ?v in $x:\n    ?d[?v] = ?d.get(?v, 0) + 1",
         "$$gap\n?d = dict(collections.Counter($x))", _separate, imports=_COUNTER),
    Rule("a Counter", "?d = {}\n$$gap\nfor ?v in $x:\n    ?d[$k] = ?d.get($k, 0) + 1",
         "$$gap\n?d = dict(collections.Counter($k for ?v in $x))", _separate, imports=_COUNTER),
    Rule("a Counter", "?d = {}\n$$gap\nfor ?v in ?x:\n    ?d[?v] = ?x.count(?v)",
         "$$gap\n?d = dict(collections.Counter(?x))", _separate, imports=_COUNTER),
    Rule("a Counter", "?d = {}\n$$gap\nfor ?v in ?x:\n    if ?v not in ?d:\n        ?d[?v] = ?x.count(?v)",
         "$$gap\n?d = dict(collections.Counter(?x))", _separate, imports=_COUNTER),
    Rule("a defaultdict", "?d = {}\n$$gap\nfor $t in $x:\n    ?d.setdefault($k, []).append($e)",
         "$$gap\n?d = collections.defaultdict(list)\nfor $t in $x:\n    ?d[$k].append($e)", _separate,
         imports=_COUNTER),
)  # fmt: skip

AT_ONCE: Final = (
    Reduction("a Counter", "{?v: ?x.count(?v) for ?v in $y}", "dict(collections.Counter(?x))",
              lambda match: match.name("x") in reads(match.expr("y")), imports=_COUNTER),
    Reduction("counted once", "max($y, key=?x.count)", "max($y, key=collections.Counter(?x).__getitem__)",
              imports=_COUNTER),
    Reduction("counted once", "max($y, key=lambda ?v: ?x.count(?v))",
              "max($y, key=collections.Counter(?x).__getitem__)", imports=_COUNTER),
    Reduction("counted once", "sorted(?x) == sorted(?y)", "collections.Counter(?x) == collections.Counter(?y)",
              imports=_COUNTER),
    Reduction("keys() left out", "$k in ?d.keys()", "$k in ?d"),
    Reduction("distinct elements counted", "len(list(dict.fromkeys($x)))", "len(set($x))"),
)  # fmt: skip

COUNTING = operator("counting", 2.0, *STEPS, *WHOLE, *AT_ONCE)
