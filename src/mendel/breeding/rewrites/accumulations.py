"""Turn loops that accumulate into comprehensions, ``sum``, ``min``, ``max``, ``any``, ``all`` and ``next``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.rewrites import scope
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, Where, operator
from mendel.breeding.view import reads, writes

HEADS: Final = (
    ("for $t in $x:\n    {}", "for $t in $x"),
    ("for $t in $x:\n    if $c:\n        {}", "for $t in $x if $c"),
    ("for $t in $x:\n    for $u in $y:\n        {}", "for $t in $x for $u in $y"),
    ("for $t in $x:\n    for $u in $y:\n        if $c:\n            {}", "for $t in $x for $u in $y if $c"),
    ("for $t in $x:\n    if $c:\n        for $u in $y:\n            {}", "for $t in $x if $c for $u in $y"),
)
"""Loops, and the equivalent clauses of a comprehension."""

SEQUENCES: Final = (*HEADS, ("for $t in $x:\n    if $d:\n        continue\n    {}", "for $t in $x if not $d"))


def _clean(match: Match) -> bool:
    """Return whether the result is not read in the loop, nor used between its initialisation and the loop."""
    name = match.name("o")
    held = [match.expr(hole) for hole in sorted(match.bindings) if hole in "txuycdekv"]
    gap = match.block("gap") if "gap" in match.bindings else ()
    return name not in reads(held) and name not in reads(gap) | writes(gap) and not _suspends(held)


def _suspends(nodes: list[ast.expr]) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in scope.walk(nodes))


def _summable(match: Match) -> bool:
    """Return whether nothing added is clearly a string, which ``sum`` refuses."""
    added = [match.expr(hole) for hole in "ez" if hole in match.bindings]
    return _clean(match) and not any(map(scope.is_text, added))


def _collected(note: str, start: str, statement: str, becomes: str, where: Where = _clean) -> Iterator[Rule]:
    for loop, told in SEQUENCES:
        pattern = f"?o = {start}\n$$gap\n{loop.format(statement)}"
        yield Rule(note, pattern, "$$gap\n" + becomes.replace("LOOP", told), where)


def _grown(note: str, statement: str, becomes: str, where: Where = _clean) -> Iterator[Rule]:
    for loop, told in SEQUENCES:
        yield Rule(note, loop.format(statement), becomes.replace("LOOP", told), where)


COMPREHENSIONS: Final = (
    *_collected("a list comprehension", "[]", "?o.append($e)", "?o = [$e LOOP]"),
    *_collected("a list comprehension", "list()", "?o.append($e)", "?o = [$e LOOP]"),
    *_collected("a list comprehension", "[]", "?o += [$e]", "?o = [$e LOOP]"),
    *_collected("a set comprehension", "set()", "?o.add($e)", "?o = {$e LOOP}"),
    *_collected("a dict comprehension", "{}", "?o[$k] = $v", "?o = {$k: $v LOOP}"),
    *_grown("extended at once", "?o.append($e)", "?o.extend($e LOOP)"),
    *_grown("updated at once", "?o.add($e)", "?o.update($e LOOP)"),
    *_grown("extended at once", "?o.append($e)", "?o += [$e LOOP]"),
)


def _sum_of(statement: str, told: str) -> Iterator[Rule]:
    yield from _collected("sum()", "0", statement, f"?o = sum({told} LOOP)", _summable)
    yield from _collected("sum()", "$z", statement, f"?o = sum(({told} LOOP), $z)", _summable)
    yield from _grown("sum()", statement, f"?o += sum({told} LOOP)", _summable)


SUMS: Final = (
    *_sum_of("?o += $e", "$e"),
    Reduction("counted by count()", "sum(1 for ?v in $x if ?v == $e)", "$x.count($e)",
              lambda match: match.name("v") not in reads(match.expr("e"))),
    Reduction("counted by len()", "sum(1 for ?v in $x)", "len($x)"),
    Reduction("the elements themselves", "sum(?v for ?v in $x)", "sum($x)"),
    Reduction("a sum of products", "sum(?v * ?w for ?v, ?w in zip($x, $y))", "sum(map(operator.mul, $x, $y))",
              imports=("import operator",)),
    Reduction("a sum of products", "sum([?v * ?w for ?v, ?w in zip($x, $y)])", "sum(map(operator.mul, $x, $y))",
              imports=("import operator",)),
)  # fmt: skip


def _dot_of(match: Match) -> bool:
    index, total = match.name("i"), match.name("o")
    held = reads([match.expr("x"), match.expr("y"), match.expr("n")])
    return not held & {index, total}


DOTS: Final = tuple(
    Rule("a sum of products", "for ?i in range($n):\n    ?o += $x[?i] * $y[?i]",
         f"?o += sum(map(operator.mul, {given}))", _dot_of, imports=("import operator",))
    for given in ("$x, $y", "$x[:$n], $y")
)  # fmt: skip


def _extreme(sign: str, name: str) -> Iterator[Rule]:
    note = f"{name}()"
    for loop, told in SEQUENCES:
        if "if $c" in told and not told.endswith("if $c"):
            continue
        # Both versions ignore the initial value unless the loop is empty; without a default that raises.
        for statement in (f"if $e {sign} ?o:\n    ?o = $e", f"?o = {name}(?o, $e)", f"?o = {name}($e, ?o)"):
            body = loop.format(statement.replace("\n", "\n" + " " * _depth(loop)))
            yield Rule(note, f"?o = $z\n$$gap\n{body}", f"$$gap\n?o = {name}(($e {told}), default=$z)", _clean)
            yield Rule(note, f"?o = $z\n$$gap\n{body}", f"$$gap\n?o = {name}($e {told})", _clean)


def _depth(loop: str) -> int:
    last = loop.split("\n")[-1]
    return len(last) - len(last.lstrip())


EXTREMES: Final = (
    *_extreme("<", "min"),
    *_extreme(">", "max"),
    Reduction("the elements themselves", "min(?v for ?v in $x)", "min($x)"),
    Reduction("the elements themselves", "max(?v for ?v in $x)", "max($x)"),
    Reduction("the smallest", "sorted($x)[0]", "min($x)"),
    Reduction("the largest", "sorted($x)[-1]", "max($x)"),
    Reduction("the smallest ones", "sorted($x)[:$k]", "heapq.nsmallest($k, $x)", imports=("import heapq",)),
)


def _decided(found: str, otherwise: str, told: str) -> Iterator[Rule]:
    """Yield rules for loops that search for a fitting element: by return, by flag, with and without a break."""
    for loop, said in HEADS:
        if "if $c" not in said or loop.endswith("for $u in $y:\n            {}"):
            continue
        heads = said.removesuffix(" if $c")
        yield Rule(
            told, f"{loop.format(f'return {found}')}\nreturn {otherwise}", f"return {told}($c {heads})", _clean_test
        )
        for statement in (f"?o = {found}\n{' ' * _depth(loop)}break", f"?o = {found}"):
            yield Rule(told, f"?o = {otherwise}\n$$gap\n{loop.format(statement)}",
                       f"$$gap\n?o = {told}($c {heads})", _clean_test)  # fmt: skip


def _clean_test(match: Match) -> bool:
    if "o" in match.bindings:
        return _clean(match)
    return not _suspends([match.expr("c"), match.expr("x")])


DECISIONS: Final = (
    *_decided("True", "False", "any"),
    *_decided("False", "True", "not any"),
    Rule("next()", "for $t in $x:\n    if $c:\n        return $e\nreturn $z",
         "return next(($e for $t in $x if $c), $z)"),
    Reduction("in", "any(?v == $e for ?v in $x)", "$e in $x",
              lambda match: match.name("v") not in reads(match.expr("e"))),
    Reduction("in", "any(?x[?i] == $e for ?i in range(len(?x)))", "$e in ?x",
              lambda match: match.name("i") not in reads(match.expr("e"))),
    Reduction("all()", "not any($a != $b for $t in $x)", "all($a == $b for $t in $x)"),
    Rule("in", "for ?v in $x:\n    if ?v == $e:\n        $$then\n        break", "if $e in $x:\n    $$then",
         lambda match: match.name("v") not in reads(match.expr("e")) | reads(match.block("then"))),
)  # fmt: skip

SHORTER: Final = (
    Reduction("the elements themselves", "[?v for ?v in $x]", "list($x)"),
    Reduction("the elements themselves", "{?v for ?v in $x}", "set($x)"),
    Reduction("map", "[?f(?v) for ?v in $x]", "list(map(?f, $x))"),
    Reduction("filter", "[?v for ?v in $x if ?f(?v)]", "list(filter(?f, $x))"),
    Reduction("filter", "[?v for ?v in $x if ?v]", "list(filter(None, $x))"),
    Rule("all of them", "?o.extend(?v for ?v in $x)", "?o.extend($x)"),
    Rule("all of them", "?o += [?v for ?v in $x]", "?o += $x"),
)

COMPREHENSION = operator("comprehension", 2.0, *COMPREHENSIONS, *SHORTER)
ACCUMULATE = operator("accumulate", 2.0, *SUMS, *DOTS, *EXTREMES, *DECISIONS)
