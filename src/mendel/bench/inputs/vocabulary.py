"""The types that inputs can be made of, by their full names, and why other types cannot be used."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from mendel.bench.inputs.kinds import (
    BOOL,
    NONE,
    BytesKind,
    FloatKind,
    IntKind,
    Kind,
    MomentKind,
    PlainKind,
    TextKind,
)

SCALARS: Final = MappingProxyType[str, Kind](
    {
        "builtins.int": IntKind(),
        "builtins.float": FloatKind(),
        "builtins.bool": BOOL,
        "builtins.str": TextKind(),
        "builtins.bytes": BytesKind(),
        "builtins.bytearray": BytesKind(kind="bytearray"),
        "builtins.complex": PlainKind(kind="complex"),
        "builtins.None": NONE,
        "types.NoneType": NONE,
        "typing.Text": TextKind(),
        "typing.LiteralString": TextKind(),
        "typing.AnyStr": TextKind(),
        "typing.ByteString": BytesKind(),
        "collections.abc.ByteString": BytesKind(),
        "numbers.Integral": IntKind(),
        "numbers.Real": FloatKind(),
        "decimal.Decimal": PlainKind(kind="decimal"),
        "datetime.date": MomentKind(kind="date"),
        "datetime.datetime": MomentKind(kind="datetime"),
        "datetime.time": MomentKind(kind="time"),
        "datetime.timedelta": MomentKind(kind="timedelta"),
    }
)

_ABC: Final = ("typing", "collections.abc")


def _named(homes: tuple[str, ...], *names: str) -> frozenset[str]:
    return frozenset(f"{home}.{name}" for home in homes for name in names)


LISTS: Final = _named(_ABC, "Sequence", "MutableSequence", "Iterable", "Collection", "Reversible", "Container") | {
    "builtins.list",
    "typing.List",
}
TUPLES: Final = frozenset({"builtins.tuple", "typing.Tuple"})
SETS: Final = _named(_ABC, "MutableSet", "Set") | {"builtins.set", "typing.AbstractSet"}
FROZEN_SETS: Final = frozenset({"builtins.frozenset", "typing.FrozenSet"})
DICTS: Final = _named(_ABC, "Mapping", "MutableMapping") | {"builtins.dict", "typing.Dict"}
UNIONS: Final = frozenset({"typing.Union"})
OPTIONALS: Final = frozenset({"typing.Optional"})
LITERALS: Final = frozenset({"typing.Literal"})
TRANSPARENT: Final = frozenset({"typing.Final", "typing.Required", "typing.ReadOnly"})  # they say nothing about values
ANNOTATED: Final = frozenset({"typing.Annotated"})
ARRAYS: Final = frozenset({"numpy.ndarray", "numpy.typing.NDArray"})
DTYPES: Final = MappingProxyType(
    {
        **{f"numpy.{name}": name for name in ("float64", "float32", "int64", "int32", "uint8")},
        "numpy.double": "float64",
        "builtins.float": "float64",
        "builtins.int": "int64",
        "builtins.bool": "bool",
        "numpy.bool": "bool",
        "numpy.bool_": "bool",
        "numpy.floating": "float64",
        "numpy.integer": "int64",
    }
)

CODE: Final = _named(_ABC, "Callable") | {"builtins.type", "typing.Type"}
REFUSED: Final = MappingProxyType(
    {
        **dict.fromkeys(("typing.Any", "builtins.object"), "says nothing about its values"),
        **dict.fromkeys(CODE, "is code, for which no input can be made"),
        **dict.fromkeys(
            _named(_ABC, "Iterator", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "Awaitable"),
            "is consumed by its first reader, so it cannot be given to two programs",
        ),
        **dict.fromkeys(
            (
                *_named(("collections", "typing"), "Counter", "OrderedDict", "ChainMap"),
                *_named(("collections",), "deque", "defaultdict", "UserDict", "UserList"),
                *_named(("typing",), "Deque", "DefaultDict", "IO", "TextIO", "BinaryIO"),
                "fractions.Fraction",
                "pathlib.Path",
                "builtins.range",
                "builtins.memoryview",
                "array.array",
            ),
            "cannot cross into the sandbox",
        ),
    }
)
