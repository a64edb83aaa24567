"""The building blocks of expressions: builtins, standard library and NumPy callables, with their argument types."""

from __future__ import annotations

import bisect
import builtins
import collections
import functools
import heapq
import itertools
import math
import operator
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

MOST_ITEMS = 2_000
SLOT = re.compile(r"\{([abcABC])\}")

KINDS = {
    "i": ("int",),
    "n": ("int", "float"),
    "b": ("bool",),
    "s": ("str",),
    "l": ("list", "tuple"),
    "q": ("list", "tuple", "str"),
    "c": ("list", "tuple", "str", "set", "dict"),
    "d": ("dict",),
    "e": ("set",),
    "x": ("int", "str", "tuple", "float", "bool"),
    "a": ("int", "float", "bool", "str", "list", "tuple", "set", "dict"),
}
RESULTS = {"i": "int", "f": "float", "b": "bool", "s": "str", "l": "list", "t": "tuple", "e": "set", "d": "dict"}

# Each line is a template, ` :`, the kinds of the arguments, and the result (`?`: unknown), then optionally ` ;` and a
# guard that must hold. A capital slot puts brackets around an argument that ends with a bare operator.
PLAIN = """
len({a}) :c i
sum({a}) :l ?
min({a}) :c ?
max({a}) :c ?
sorted({a}) :c l
list(dict.fromkeys({a})) :q l
sorted({a}, reverse=True) :c l
{A}[::-1] :q ?
set({a}) :c e
list({a}) :c l
tuple({a}) :c t
any({a}) :l b
all({a}) :l b
abs({a}) :n ?
not {A} :a b
sorted(set({a})) :c l
sorted({a}, key=len) :l l
{A}[1:] :q ?
{A}[:-1] :q ?
{A}[::2] :q ?
{A}[0] :q ?
{A}[-1] :q ?
-{A} :n ?
{A} == {A}[::-1] :q b
{A} % 2 == 0 :i b
{A} % 2 == 1 :i b
{A} * {A} :n ?
len(set({a})) :c i
list(itertools.accumulate({a})) :l l
list(itertools.accumulate({a}, max)) :l l
list(itertools.accumulate({a}, min)) :l l
list(itertools.accumulate({a}, operator.mul)) :l l
list(itertools.chain.from_iterable({a})) :l l
list(itertools.combinations({a}, 2)) :q l
list(itertools.pairwise({a})) :q l
[len(list(group)) for _, group in itertools.groupby({a})] :q l
[key for key, _ in itertools.groupby({a})] :q l
[(key, len(list(group))) for key, group in itertools.groupby({a})] :q l
dict(collections.Counter({a})) :q d
collections.Counter({a}).most_common(1)[0][0] :q ?
collections.Counter({a}).most_common() :q l
max(collections.Counter({a}).values()) :q i
dict.fromkeys({a}) :q d
dict({a}) :l d
dict(enumerate({a})) :q d
list(enumerate({a})) :q l
list(map(list, zip(*{a}))) :l l
list(zip(*{a})) :l l
list(map(str, {a})) :c l
list(map(int, {a})) :c l
list(map(len, {a})) :l l
list(map(sum, {a})) :l l
sum(map(len, {a})) :l i
list(range({a})) :i l
sum(range({a})) :i i
"".join({a}) :l s
" ".join({a}) :l s
"".join(sorted({a})) :s s
{A}.lower() :s s
{A}.upper() :s s
{A}.strip() :s s
{A}.split() :s l
{A}.splitlines() :s l
{A}.title() :s s
{A}.swapcase() :s s
{A}.isdigit() :s b
{A}.isalpha() :s b
{A}.isalnum() :s b
{A}.islower() :s b
{A}.isupper() :s b
{A}.isspace() :s b
ord({a}) :s i
chr({a}) :i s
str({a}) :x s
int({a}) :x i
float({a}) :x f
bool({a}) :a b
round({a}) :n i
math.prod({a}) :l ?
math.isqrt({a}) :i i
math.sqrt({a}) :n f
math.floor({a}) :n i
math.ceil({a}) :n i
math.factorial({a}) :i i ;a < 60
math.fsum({a}) :l f
math.gcd(*{a}) :l i
functools.reduce(operator.xor, {a}, 0) :l i
functools.reduce(operator.or_, {a}, 0) :l i
statistics.median({a}) :l ?
statistics.mean({a}) :l ?
statistics.mode({a}) :q ?
list({A}.items()) :d l
list({A}.values()) :d l
sum({A}.values()) :d ?
max({A}.values()) :d ?
max({a}, key={A}.get) :d ?
{A}.bit_count() :i i
{A}.bit_length() :i i
sum(map(int, str({a}))) :i i
bin({a})[2:] :i s
{A} + {B} :nn ?
{A} - {B} :nn ?
{A} * {B} :nn ?
{A} // {B} :nn ?
{A} % {B} :nn ?
{A} / {B} :nn f
{A} % {B} == 0 :ii b
{A} ** {B} :ni ? ;abs(b) < 40 and abs(a) < 10**6
{A} + {B} :qq ?
{A} & {B} :ii i
{A} | {B} :ii i
{A} ^ {B} :ii i
{A} < {B} :nn b
{A} <= {B} :nn b
{A} < {B} :ss b
{A} <= {B} :ss b
{A} == {B} :aa b
{A} != {B} :aa b
{A} and {B} :bb b
{A} or {B} :bb b
{A} in {B} :xc b
{A} not in {B} :xc b
{A}[{b}] :qi ?
{A}[{b}] :dx ?
{A}[:{b}] :qi ?
{A}[{b}:] :qi ?
{A}.count({b}) :qx i
{A}.index({b}) :qx i
{A}.find({b}) :ss i
{A}.rfind({b}) :ss i
{A}.startswith({b}) :ss b
{A}.endswith({b}) :ss b
{A}.split({b}) :ss l
{A}.strip({b}) :ss s
{A}.partition({b}) :ss t
{B}.join({a}) :ls s
{A}.get({b}) :dx ?
min({a}, {b}) :nn ?
max({a}, {b}) :nn ?
math.gcd({a}, {b}) :ii i
math.lcm({a}, {b}) :ii i
math.comb({a}, {b}) :ii i ;a < 200
math.hypot({a}, {b}) :nn f
math.dist({a}, {b}) :ll f
divmod({a}, {b}) :nn t
round({a}, {b}) :ni ? ;abs(b) < 20
set({a}) <= set({b}) :cc b
set({a}) == set({b}) :cc b
sorted({a}) == sorted({b}) :qq b
set({a}).isdisjoint({b}) :cc b
collections.Counter({a}) <= collections.Counter({b}) :qq b
set({a}) & set({b}) :cc e
set({a}) | set({b}) :cc e
set({a}) - set({b}) :cc e
set({a}) ^ set({b}) :cc e
sorted(set({a}) & set({b})) :cc l
sorted(set({a}) | set({b})) :cc l
sorted(set({a}) - set({b})) :cc l
len(set({a}) & set({b})) :cc i
heapq.nsmallest({b}, {a}) :li l
heapq.nlargest({b}, {a}) :li l
list(heapq.merge({a}, {b})) :ll l
bisect.bisect_left({a}, {b}) :lx i
bisect.bisect_right({a}, {b}) :lx i
list(zip({a}, {b})) :qq l
dict(zip({a}, {b})) :qq d
sum(map(operator.mul, {a}, {b})) :ll ?
sum(map(operator.ne, {a}, {b})) :qq i
list(map(operator.add, {a}, {b})) :ll l
list(map(operator.sub, {a}, {b})) :ll l
list(map(operator.mul, {a}, {b})) :ll l
list(itertools.combinations({a}, {b})) :qi l ;b < 4
[{a}] * {b} :xi l ;b < 200
list(range({a}, {b})) :ii l
collections.Counter({a}).most_common({b}) :qi l
{A}[{b}:{c}] :qii ?
{A}[{b} : {B} + {C}] :qii ?
{A}.startswith({b}, {c}) :ssi b
{A}.find({b}, {c}) :ssi i
{A}.replace({b}, {c}) :sss s
{A}.get({b}, {c}) :dxx ?
pow({a}, {b}, {c}) :iii i
{A}.translate(str.maketrans({b}, {c})) :sss s
"""
NUMPY = """
np.array({a}).sum().item() :l ?
np.cumsum({a}).tolist() :l l
np.sort({a}).tolist() :l l
np.unique({a}).tolist() :l l
np.transpose({a}).tolist() :l l
np.nonzero({a})[0].tolist() :l l
np.dot({a}, {b}).tolist() :ll ?
np.dot({A}[:len({b})], {b}).tolist() :ll ?
np.add({a}, {b}).tolist() :ll l
np.subtract({a}, {b}).tolist() :ll l
np.multiply({a}, {b}).tolist() :ll l
np.add({a}, {b}).tolist() :ln l
np.subtract({a}, {b}).tolist() :ln l
np.multiply({a}, {b}).tolist() :ln l
np.mean({a}).item() :l f
np.diff({a}).tolist() :l l
np.square({a}).tolist() :l l
np.outer({a}, {b}).tolist() :ll l
np.convolve({a}, {b}).tolist() :ll l
np.correlate({a}, {b}, "full").tolist() :ll l
(np.array({A}) @ np.array({B})).tolist() :ll l
"""


@dataclass(frozen=True)
class Call:
    """One way to combine expressions; ``bare``: the result needs brackets next to another operator."""

    text: str
    arguments: tuple[tuple[str, ...], ...]
    result: str | None
    function: Callable[..., Any]
    bare: bool


class TooLarge(ValueError):
    """A callable would create a large object."""


def _no(*_: object) -> NoReturn:
    raise TooLarge


def _range(*bounds: int) -> range:
    made = range(*bounds)
    return made if len(made) <= MOST_ITEMS else _no()


def _combinations(items: Sequence[Any], count: int) -> Iterable[Any]:
    return itertools.combinations(items, count) if len(items) <= 24 else _no()


class _Itertools:
    accumulate, chain, groupby, pairwise = itertools.accumulate, itertools.chain, itertools.groupby, itertools.pairwise
    combinations = staticmethod(_combinations)


def namespace(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Return the names that expressions may use: modules and builtins, some of which refuse to create large objects."""
    made: dict[str, Any] = {each.__name__: each for each in (bisect, collections, functools, heapq, math, operator)}
    made.update(statistics=statistics, itertools=_Itertools, range=_range, _no=_no, __builtins__=builtins)
    if "numpy" in packages:
        made["np"] = import_module("numpy")
    return made


def catalogue(names: dict[str, Any]) -> list[Call]:
    """Return every available callable."""
    lines = (PLAIN + (NUMPY if "np" in names else "")).splitlines()
    return [_call(line, names) for line in lines if line]


def _call(line: str, names: dict[str, Any]) -> Call:
    text, _, kinds = line.rpartition(" :")
    kinds, _, guard = kinds.partition(" ;")
    given, _, result = kinds.partition(" ")
    slots = "abc"[: len(given)]
    body = filled(text, slots, slots)
    code = f"lambda {', '.join(slots)}: {body}" + (f" if {guard} else _no()" if guard else "")
    function = eval(code, names)  # noqa: S307 - the text comes from this file  # nosec B307
    return Call(text, tuple(KINDS[each] for each in given), RESULTS.get(result), function, _is_bare(text))


def filled(text: str, plain: Sequence[str], spelled: Sequence[str]) -> str:
    """Fill the slots of a callable's text: small letters with ``plain`` arguments, capital letters with ``spelled``."""
    given = {**dict(zip("abc", plain, strict=False)), **dict(zip("ABC", spelled, strict=False))}
    return SLOT.sub(lambda match: given[match[1]], text)


def _is_bare(text: str) -> bool:
    joined = any(f") {sign} " in text for sign in ("<=", "==", "&", "|", "-", "^"))
    return text.startswith(("{A} ", "-{A}", "not ", "[{a}] *")) or (
        joined and not text.startswith(("sorted(set", "len("))
    )
