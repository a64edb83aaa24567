"""Cheaper ways to compute the same number or truth value."""

from __future__ import annotations

import ast
from typing import Final

from mendel.breeding.rewrites import scope
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator

_MATH: Final = ("import math",)


def _cheap(match: Match) -> bool:
    """Return whether the operand may be evaluated twice: it is pure and calls nothing."""
    return isinstance(match.expr("x"), ast.Name | ast.Constant) or (
        scope.pure(match.expr("x")) and not any(isinstance(each, ast.Call) for each in ast.walk(match.expr("x")))
    )


POWERS: Final = (
    Reduction("a product", "$x ** 2", "$x * $x", _cheap),
    Reduction("a product", "$x ** 3", "$x * $x * $x", _cheap),
    Reduction("a product", "pow($x, 2)", "$x * $x", _cheap),
    Reduction("a root", "$x ** 0.5", "math.sqrt($x)", imports=_MATH),
    Reduction("a whole root", "int($x ** 0.5)", "math.isqrt($x)", imports=_MATH),
    Reduction("a whole root", "int(math.sqrt($x))", "math.isqrt($x)", imports=_MATH),
    Reduction("a power modulo", "$x ** $y % $m", "pow($x, $y, $m)"),
    Reduction("a power modulo", "pow($x, $y) % $m", "pow($x, $y, $m)"),
)
BITS: Final = (
    Reduction("a bit", "$x % 2 == 0", "not $x & 1"),
    Reduction("a bit", "$x % 2 == 1", "$x & 1"),
    Reduction("a bit", "$x % 2 != 0", "$x & 1"),
    Reduction("a bit", "$x % 2", "$x & 1"),
    Reduction("a shift", "$x // 2", "$x >> 1"),
    Reduction("a sum", "$x * 2", "$x + $x", _cheap),
    Reduction("a shift", "2 ** $x", "1 << $x"),
    Reduction("whole division", "int($x / $y)", "$x // $y"),
    Reduction("whole division", "math.floor($x / $y)", "$x // $y"),
    Reduction("the bits counted", "bin($x).count('1')", "$x.bit_count()"),
)
SUMS: Final = (
    Reduction("the sum of a range", "sum(range($n))", "$n * ($n - 1) // 2"),
    Reduction("the sum of a range", "sum(range($a, $b))", "($b - $a) * ($a + $b - 1) // 2"),
    Reduction("the sum of a range", "sum(?i for ?i in range($n))", "$n * ($n - 1) // 2"),
    Reduction("a common factor", "$x * $y + $x * $z", "$x * ($y + $z)"),
    Reduction("a common divisor", "$x / $d + $y / $d", "($x + $y) / $d"),
    Reduction("the larger without a call", "max(?a, ?b)", "?a if ?a > ?b else ?b"),
    Reduction("the smaller without a call", "min(?a, ?b)", "?a if ?a < ?b else ?b"),
    Reduction("the magnitude without a call", "abs(?a)", "?a if ?a >= 0 else -?a"),
)
TRUTHS: Final = (
    Reduction("truth of emptiness", "len($x) == 0", "not $x"),
    Reduction("truth of emptiness", "len($x) > 0", "$x"),
    Reduction("truth of emptiness", "len($x) != 0", "$x"),
    Reduction("truth itself", "$x == True", "$x"),
    Reduction("truth itself", "$x == False", "not $x"),
    Reduction("truth itself", "True if $x else False", "bool($x)"),
    Reduction("not in", "not ($x in $y)", "$x not in $y"),
    Reduction("a chain", "$x < $y and $y < $z", "$x < $y < $z"),
    Reduction("a chain", "$x <= $y and $y <= $z", "$x <= $y <= $z"),
    Reduction("one of two", "$x == $y or $x == $z", "$x in ($y, $z)"),
    Reduction("the other order", "$x and $y", "$y and $x"),
    Reduction("the other order", "$x or $y", "$y or $x"),
    Rule("returned as it is", "if $c:\n    return True\nreturn False", "return $c"),
    Rule("returned as it is", "if $c:\n    return True\nelse:\n    return False", "return $c"),
    Rule("the larger", "if $a > $b:\n    $b = $a", "$b = max($a, $b)"),
)

ARITHMETIC = operator("arithmetic", 1.0, *POWERS, *BITS, *SUMS, *TRUTHS)
