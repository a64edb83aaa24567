"""The sandbox's child: how values cross the wall, and how a program is run.

One file of standard library. Its two parts:

* the **codec** (``encode``, ``decode``): exactly typed values as bytes. Both sides of the wall use it; ``decode`` takes
  any bytes and answers with a value or with ``Refused``.
* the **runner** (``run``): loads a program and calls it case by case. It runs in a fork that has given up its rights
  (:mod:`mendel.adapters.sandbox.zygote`), and writes what came of each case into memory that the parent reads
  when the fork is dead.

A program owns its fork: it can overwrite anything here, in its own process. So nothing that a fork says is believed
but its values, and those are compared elsewhere; what it used and how it ended, its parent reads from the kernel.
"""

from __future__ import annotations

import datetime as dt
import importlib
import importlib.machinery
import itertools
import marshal
import math
import mmap
import operator
import os
import struct
import sys
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import CoroutineType, FrameType, ModuleType
from typing import Any, TypeVar, cast

# --- the codec ----------------------------------------------------------------------------------------------------

MAX_DEPTH = 100
SMALL_KEY = 256
"""Up to this size keys are compared in a time that grows with their size, no faster."""

SLICE = 256
"""How many keys are put into a table at once before anybody looks how long it took."""
PACK_FROM = 4


class Refused(Exception):
    """A value that may not cross, or bytes that are none; ``code`` is one of the contract's error codes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Writer:
    """Writes values to ``out``, at most ``limit`` bytes; ``stranger`` answers for types that are not Python's own."""

    def __init__(self, limit: int, stranger: Callable[[Writer, Any, int], None]) -> None:
        self.out = bytearray()
        self.limit = limit
        self.stranger = stranger

    def write(self, value: Any, depth: int = 0) -> None:  # noqa: ANN401 - any object at all may be handed in
        """Write one value."""
        writer = WRITERS.get(type(value)) or _decimal_writer(value)
        if depth > MAX_DEPTH:
            raise Refused("SANDBOX_RESULT_TOO_DEEP", f"the value nests deeper than {MAX_DEPTH} levels, or holds itself")
        if writer is None:
            self.stranger(self, value, depth)
        else:
            writer(self, value, depth)
        if len(self.out) > self.limit:
            raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the value takes more than {self.limit} bytes")

    def sized(self, tag: bytes, data: bytes | bytearray) -> None:
        """Write a tag, a length and that many bytes."""
        if len(self.out) + len(data) > self.limit:
            raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the value takes more than {self.limit} bytes")
        self.out += tag
        self.out += struct.pack("<I", len(data))
        self.out += data

    def text(self, text: str) -> None:
        """Write a string; halves of surrogate pairs cross as they are."""
        self.sized(b"s", text.encode("utf-8", "surrogatepass"))


def _write_int(writer: Writer, value: int, depth: int) -> None:  # noqa: ARG001
    if -(1 << 63) <= value < 1 << 63:
        writer.out += struct.pack("<cq", b"i", value)
    else:
        size = value.bit_length() // 8 + 1
        if size > writer.limit:
            raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the number takes more than {writer.limit} bytes")
        writer.sized(b"I", value.to_bytes(size, "little", signed=True))


def _write_dict(writer: Writer, value: dict[Any, Any], depth: int) -> None:
    _write_items(writer, b"D", list(value), depth)
    _write_items(writer, b"l", list(value.values()), depth)


def _write_items(writer: Writer, tag: bytes, items: Sequence[Any], depth: int) -> None:
    """Items of one machine type go as one buffer: a million numbers cost what a few calls do."""
    if len(items) > writer.limit:
        raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the value takes more than {writer.limit} bytes")
    writer.out += tag
    packed = _packed(items) if len(items) >= PACK_FROM else None
    if packed is not None:
        writer.sized(packed.typecode.encode(), packed.tobytes())
        return
    writer.out += struct.pack("<cI", b"*", len(items))
    for item in items:
        writer.write(item, depth + 1)


def _packed(items: Sequence[Any]) -> array[Any] | None:
    kinds = set(map(type, items))
    if kinds == {float}:
        return array("d", items)
    if kinds == {int}:
        with suppress(OverflowError):
            return array("q", items)
    return None


def _write_timedelta(writer: Writer, value: dt.timedelta, depth: int) -> None:  # noqa: ARG001
    writer.out += struct.pack("<ciII", b"p", value.days, value.seconds, value.microseconds)


def _write_timezone(writer: Writer, value: dt.timezone, depth: int) -> None:
    writer.out += b"o"
    _write_timedelta(writer, value.utcoffset(None), depth)
    writer.text(value.tzname(None))


def _write_time(writer: Writer, value: dt.time, depth: int) -> None:
    parts = value.hour, value.minute, value.second, value.microsecond, value.fold
    writer.out += struct.pack("<cBBBIB", b"h", *parts)
    writer.write(value.tzinfo, depth + 1)


def _write_datetime(writer: Writer, value: dt.datetime, depth: int) -> None:
    parts = value.hour, value.minute, value.second, value.microsecond, value.fold
    writer.out += struct.pack("<cIBBBIB", b"w", value.toordinal(), *parts)
    writer.write(value.tzinfo, depth + 1)


WRITERS: dict[type, Callable[[Writer, Any, int], None]] = {
    type(None): lambda writer, _value, _depth: writer.out.extend(b"N"),
    bool: lambda writer, value, _depth: writer.out.extend(b"T" if value else b"F"),
    int: _write_int,
    float: lambda writer, value, _depth: writer.out.extend(struct.pack("<cd", b"f", value)),
    complex: lambda writer, value, _depth: writer.out.extend(struct.pack("<cdd", b"c", value.real, value.imag)),
    str: lambda writer, value, _depth: writer.text(value),
    bytes: lambda writer, value, _depth: writer.sized(b"b", value),
    bytearray: lambda writer, value, _depth: writer.sized(b"a", value),
    list: lambda writer, value, depth: _write_items(writer, b"l", value, depth),
    tuple: lambda writer, value, depth: _write_items(writer, b"t", value, depth),
    set: lambda writer, value, depth: _write_items(writer, b"S", list(value), depth),
    frozenset: lambda writer, value, depth: _write_items(writer, b"Z", list(value), depth),
    dict: _write_dict,
    dt.date: lambda writer, value, _depth: writer.out.extend(struct.pack("<cI", b"y", value.toordinal())),
    dt.time: _write_time,
    dt.datetime: _write_datetime,
    dt.timedelta: _write_timedelta,
    dt.timezone: _write_timezone,
}


def _decimal_writer(value: object) -> Callable[[Writer, Any, int], None] | None:
    """How a Decimal is written."""
    decimal = sys.modules.get("decimal")
    if decimal is None or type(value) is not decimal.Decimal:
        return None
    return lambda writer, number, _depth: writer.sized(b"x", str(number).encode())


class Strangers:
    """Makes the values whose classes differ on the two sides: arrays and declared dataclasses."""

    def array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> object:
        """Make an array."""

    def record(self, name: str, fields: tuple[tuple[str, object], ...]) -> object:
        """Make an instance of a declared dataclass."""


class Patience:
    """What reading may cost in all: values made, bytes compared for keys of one hash, processor time for tables."""

    def __init__(self, values: float = math.inf, comparing: float = math.inf, seconds: float = math.inf) -> None:
        self.values = values
        self.comparing = comparing
        self.seconds = seconds


class Reader:
    """Reads values from bytes that anybody may have written."""

    def __init__(self, data: bytes, strangers: Strangers, patience: Patience) -> None:
        self.data = data
        self.at = 0
        self.strangers = strangers
        self._patience = patience

    def value(self, depth: int = 0) -> Any:  # noqa: ANN401 - this is what a codec is for
        """The next value."""
        tag = self.data[self.at : self.at + 1]
        reader = READERS.get(tag)
        if reader is None or depth > MAX_DEPTH + 1:
            raise Refused("SANDBOX_PROTOCOL", f"no value begins with {tag!r} at byte {self.at}")
        self.at += 1
        return reader(self, depth)

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        """The next fixed fields."""
        if self.at + layout.size > len(self.data):
            raise Refused("SANDBOX_PROTOCOL", f"the bytes end within a value, at byte {self.at}")
        fields = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return fields

    def sized(self) -> bytes:
        """The next bytes with their length before them."""
        (size,) = self.unpack(U32)
        if self.at + size > len(self.data):
            raise Refused("SANDBOX_PROTOCOL", f"{size} bytes are announced at byte {self.at}, fewer follow")
        self.at += size
        return self.data[self.at - size : self.at]

    def items(self, depth: int, sizes: list[int] | None = None) -> list[Any]:
        """The next items of a container; their sizes in bytes, where they differ, go to ``sizes``."""
        tag = self.data[self.at : self.at + 1]
        self.at += 1
        if tag in PACKED:
            packed = array(tag.decode())
            data = self.sized()
            if len(data) % packed.itemsize:
                raise Refused("SANDBOX_PROTOCOL", "a packed list ends within a number")
            packed.frombytes(data)
            return packed.tolist()
        if tag != b"*":
            raise Refused("SANDBOX_PROTOCOL", f"no items begin with {tag!r}")
        (count,) = self.unpack(U32)
        if count > len(self.data) - self.at:
            raise Refused("SANDBOX_PROTOCOL", f"{count} items are announced, fewer bytes follow")
        self._patience.values -= count
        if self._patience.values < 0:
            raise Refused("SANDBOX_RESULT_TOO_LARGE", "too many values for one result")
        if sizes is None:
            return [self.value(depth + 1) for _ in range(count)]
        items = []
        for _ in range(count):
            began = self.at
            items.append(self.value(depth + 1))
            sizes.append(self.at - began)
        return items

    def keys(self, depth: int) -> dict[Any, None]:
        """The next members of a set or keys of a dict: hashable, and not made to collide."""
        sizes: list[int] = []
        keys = self.items(depth, sizes)
        try:
            hashes = list(map(hash, keys))
        except TypeError as error:
            raise Refused("SANDBOX_PROTOCOL", f"a key or member: {error}") from error
        in_order = sorted(hashes)
        if any(map(operator.eq, in_order, itertools.islice(in_order, 1, None))):
            self._refuse_crowds(hashes, sizes or [8] * len(keys))
        return self._distinct(keys)

    def _distinct(self, keys: list[Any]) -> dict[Any, None]:
        """The keys in a table, put there slice by slice: numbers can be chosen so that each meets all those before."""
        table: dict[Any, None] = {}
        for at in range(0, len(keys), SLICE):
            began = time.thread_time()
            table.update(dict.fromkeys(keys[at : at + SLICE]))
            self._patience.seconds -= time.thread_time() - began
            if self._patience.seconds < 0:
                raise Refused("SANDBOX_PROTOCOL", "keys or members that were made to collide")
        return table

    def _refuse_crowds(self, hashes: list[int], sizes: list[int]) -> None:
        """Keys of one hash are compared with each other; large ones at a price that grows with the square of size."""
        by_hash = sorted(range(len(hashes)), key=hashes.__getitem__)
        for _, crowd in itertools.groupby(by_hash, hashes.__getitem__):
            members = list(crowd)
            size = max(sizes[member] for member in members)
            self._patience.comparing -= (len(members) ** 2 - 1) * size * max(1, size / SMALL_KEY)
        if self._patience.comparing < 0:
            raise Refused("SANDBOX_PROTOCOL", "keys or members that were made to have one hash")

    def text(self) -> str:
        """The next string, without its tag."""
        try:
            return self.sized().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise Refused("SANDBOX_PROTOCOL", f"a string is not UTF-8: {error.reason}") from error


U32 = struct.Struct("<I")
I64 = struct.Struct("<q")
F64 = struct.Struct("<d")
COMPLEX = struct.Struct("<dd")
DELTA = struct.Struct("<iII")
TIME = struct.Struct("<BBBIB")
PACKED = frozenset({b"q", b"d"})


T = TypeVar("T")


def _checked(make: Callable[[], T]) -> T:
    """What a constructor makes of fields that somebody else chose."""
    try:
        return make()
    except (ValueError, OverflowError, TypeError, ArithmeticError) as error:
        raise Refused("SANDBOX_PROTOCOL", f"fields that make no value: {error}") from error


def _read_dict(reader: Reader, depth: int) -> dict[Any, Any]:
    keys = reader.keys(depth)
    if reader.data[reader.at : reader.at + 1] != b"l":
        raise Refused("SANDBOX_PROTOCOL", "a dict without values")
    reader.at += 1
    values = reader.items(depth)
    if len(keys) != len(values):
        raise Refused("SANDBOX_PROTOCOL", f"a dict of {len(keys)} keys and {len(values)} values")
    return dict(zip(keys, values, strict=True))  # in the order of their first coming, as the table has them


def _read_delta(reader: Reader, _depth: int) -> dt.timedelta:
    days, seconds, micro = reader.unpack(DELTA)
    return _checked(lambda: dt.timedelta(days, seconds, micro))


def _read_timezone(reader: Reader, depth: int) -> dt.timezone:
    reader.at += 1
    offset = _read_delta(reader, depth)
    name = reader.value(depth + 1)
    plain = _checked(lambda: dt.timezone(offset))
    return plain if plain.tzname(None) == name else _checked(lambda: dt.timezone(offset, name))


def _read_tzinfo(reader: Reader, depth: int) -> dt.timezone | None:
    zone: dt.timezone | None = reader.value(depth + 1)
    if zone is not None and type(zone) is not dt.timezone:
        raise Refused("SANDBOX_PROTOCOL", "a time zone that is none")
    return zone


def _read_time(reader: Reader, depth: int) -> dt.time:
    hour, minute, second, micro, fold = reader.unpack(TIME)
    zone = _read_tzinfo(reader, depth)
    return _checked(lambda: dt.time(hour, minute, second, micro, zone, fold=fold))


def _read_datetime(reader: Reader, depth: int) -> dt.datetime:
    (ordinal,) = reader.unpack(U32)
    hour, minute, second, micro, fold = reader.unpack(TIME)
    zone = _read_tzinfo(reader, depth)
    day = _checked(lambda: dt.date.fromordinal(ordinal))
    return _checked(lambda: dt.datetime(day.year, day.month, day.day, hour, minute, second, micro, zone, fold=fold))


def _read_array(reader: Reader, depth: int) -> object:
    dtype, shape, data = reader.value(depth + 1), reader.value(depth + 1), reader.value(depth + 1)
    fits = type(dtype) is str and type(shape) is tuple and type(data) is bytes
    if not fits or not all(type(size) is int and 0 <= size < 1 << 40 for size in shape):
        raise Refused("SANDBOX_PROTOCOL", "an array whose type, shape or data is none")
    return _checked(lambda: reader.strangers.array(dtype, shape, data))


def _read_record(reader: Reader, depth: int) -> object:
    name, fields = reader.value(depth + 1), reader.value(depth + 1)
    fits = (
        type(name) is str and type(fields) is tuple and all(type(pair) is tuple and len(pair) == 2 for pair in fields)
    )
    if not fits or not all(type(field) is str for field, _ in fields):
        raise Refused("SANDBOX_PROTOCOL", "a record whose name or fields are none")
    return reader.strangers.record(name, fields)


def _read_decimal(reader: Reader, _depth: int) -> object:
    text = reader.sized()
    return _checked(lambda: importlib.import_module("decimal").Decimal(text.decode("ascii")))


READERS: dict[bytes, Callable[[Reader, int], Any]] = {
    b"N": lambda _reader, _depth: None,
    b"T": lambda _reader, _depth: True,
    b"F": lambda _reader, _depth: False,
    b"i": lambda reader, _depth: reader.unpack(I64)[0],
    b"I": lambda reader, _depth: int.from_bytes(reader.sized(), "little", signed=True),
    b"f": lambda reader, _depth: reader.unpack(F64)[0],
    b"c": lambda reader, _depth: complex(*reader.unpack(COMPLEX)),
    b"s": lambda reader, _depth: reader.text(),
    b"b": lambda reader, _depth: reader.sized(),
    b"a": lambda reader, _depth: bytearray(reader.sized()),
    b"l": lambda reader, depth: reader.items(depth),
    b"t": lambda reader, depth: tuple(reader.items(depth)),
    b"S": lambda reader, depth: set(reader.keys(depth)),
    b"Z": lambda reader, depth: frozenset(reader.keys(depth)),
    b"D": _read_dict,
    b"y": lambda reader, _depth: _checked(lambda: dt.date.fromordinal(reader.unpack(U32)[0])),
    b"p": _read_delta,
    b"o": _read_timezone,
    b"h": _read_time,
    b"w": _read_datetime,
    b"x": _read_decimal,
    b"n": _read_array,
    b"r": _read_record,
}


def refuse_stranger(_writer: Writer, value: object, _depth: int) -> None:
    """Answer for a type that nobody declared."""
    name = type(value).__qualname__
    raise Refused("SANDBOX_UNDECLARED_TYPE", f"a value of the type {name} may not cross; return plain data instead")


def encode(
    value: object, limit: int = 1 << 30, stranger: Callable[[Writer, Any, int], None] = refuse_stranger
) -> bytearray:
    """A value as bytes; ``Refused`` if it may not cross."""
    writer = Writer(limit, stranger)
    writer.write(value)
    return writer.out


def decode(data: bytes, strangers: Strangers, patience: Patience | None = None) -> Any:  # noqa: ANN401 - as above
    """The value that these bytes are; ``Refused`` for any other bytes, and where ``patience`` runs out."""
    reader = Reader(data, strangers, patience or Patience())
    value = reader.value()
    if reader.at != len(data):
        raise Refused("SANDBOX_PROTOCOL", f"{len(data) - reader.at} bytes follow the value")
    return value


READY = bytes(encode(("R",)))
NO_COUNT = b"N"
VALUE = bytes(encode(("V", b"", None))).removesuffix(U32.pack(0) + NO_COUNT)
"""How the frame of a value begins, and how it ends where nobody counted. Most frames are so: written and read fast."""

# --- the runner ---------------------------------------------------------------------------------------------------

ERROR_BYTES = 5_000
"""The most that the frame of a failed case takes."""

ROOM_FOR_ERRORS = 64 << 20
"""How many bytes an answer area has beyond those for values."""

HEADER = struct.Struct("<QQQ")
"""At the beginning of the answer area: bytes of frames, number of frames, and when the current case began (ns)."""

PROGRAM_FOLDER = "/program/"
MESSAGE_CHARACTERS = 1_000
NAME_CHARACTERS = 200


class AnswerArea:
    """Memory that outlives the fork: one frame when the program is loaded, one for each case that ended."""

    def __init__(self, memory: mmap.mmap, limit: int) -> None:
        self._memory = memory
        self._room = limit
        self._at = HEADER.size
        self._frames = 0

    def begin_case(self) -> None:
        """Tell the watcher that a case begins now."""
        HEADER.pack_into(self._memory, 0, self._at - HEADER.size, self._frames, time.monotonic_ns())

    def room(self) -> int:
        """How many bytes the next value may take."""
        return self._room

    def put(self, frame: bytes | bytearray, value_bytes: int = 0) -> None:
        """Append a frame; it counts once the header says so."""
        self._room -= value_bytes
        end = self._at + 4 + len(frame)
        U32.pack_into(self._memory, self._at, len(frame))
        self._memory[self._at + 4 : end] = bytes(frame)
        self._at, self._frames = end, self._frames + 1
        HEADER.pack_into(self._memory, 0, self._at - HEADER.size, self._frames, time.monotonic_ns())


class SourceFinder:
    """Imports the program's files from memory: there is no file of it on any disk.

    A finder and loader without their abstract bases, whose module would bring thirty others into every fork.
    """

    def create_module(self, _spec: importlib.machinery.ModuleSpec) -> None:
        """The ordinary kind of module will do."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._modules = {_module_name(path): path for path in files if path.endswith(".py")}
        self._files = files

    def load(self, name: str) -> ModuleType:
        """The module of that name; one of the program's own files takes the short way."""
        if name not in self._modules or "." in name:
            return importlib.import_module(name)
        module = ModuleType(name)
        sys.modules[name] = module
        self.exec_module(module)
        return module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module of that name, if the program has it; a folder of modules needs no ``__init__.py``."""
        del path, target
        inner = any(name.startswith(f"{fullname}.") for name in self._modules)
        if fullname not in self._modules and not inner:
            return None
        package = inner or self._modules[fullname].endswith("__init__.py")
        return importlib.machinery.ModuleSpec(fullname, cast("Any", self), is_package=package)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's source."""
        path = self._modules.get(module.__name__)
        if path is not None:
            code = compile(self._files[path], PROGRAM_FOLDER + path, "exec", dont_inherit=True)
            exec(code, module.__dict__)  # noqa: S102 - running programs is what this file is for  # nosec B102


def _module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


class Inside(Strangers):
    """Arrays are NumPy's, records are instances of the program's own classes."""

    def __init__(self, shapes: Mapping[str, tuple[str, ...]], module: ModuleType) -> None:
        self._shapes = shapes
        self._module = module

    def array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> object:
        """An array of its own memory, which the program may change."""
        numpy = importlib.import_module("numpy")
        return numpy.frombuffer(bytearray(data), dtype=dtype).reshape(shape)

    def record(self, name: str, fields: tuple[tuple[str, object], ...]) -> object:
        """An instance of the program's class of that name."""
        return getattr(self._module, name)(**dict(fields))

    def write(self, writer: Writer, value: Any, depth: int) -> None:  # noqa: ANN401 - any object at all
        """Write an array by its buffer, a declared dataclass by its fields; refuse the rest."""
        kind = type(value)
        numpy = sys.modules.get("numpy")
        if numpy is not None and kind is numpy.ndarray and not value.dtype.hasobject:
            writer.out += b"n"
            for part in (value.dtype.str, tuple(map(int, value.shape)), value.tobytes()):
                writer.write(part, depth + 1)
        elif kind.__name__ in self._shapes and getattr(self._module, kind.__name__, None) is kind:
            fields = self._shapes[kind.__name__]
            writer.out += b"r"
            writer.text(kind.__name__)
            writer.write(tuple((field, object.__getattribute__(value, field)) for field in fields), depth + 1)
        else:
            refuse_stranger(writer, value, depth)


class Opcodes:
    """Counts the bytecode instructions of the program's own frames: a cost that repeats exactly.

    The count is kept in the program's process; a program that wants to can disturb it.
    """

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Opcodes:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Callable[..., Any] | None:
        if event == "call":
            if not frame.f_code.co_filename.startswith(PROGRAM_FOLDER):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            self.count += 1
        return self._trace


def run(request: bytes, memory: mmap.mmap) -> None:
    """Do what a request asks, within a fork that has given up its rights."""
    told = marshal.loads(request)  # noqa: S302 - the parent's own words, read before any of the program's  # nosec B302
    files, entry, shapes, cases, limit, counted, on_disk = told
    area = AnswerArea(memory, limit)
    area.begin_case()
    try:
        if on_disk:
            _lay_out(files)
        function, inside = _load(files, entry, shapes, on_disk=on_disk)
    except BaseException as error:  # noqa: BLE001 - SystemExit, too, is the program's answer
        area.put(_exception_frame("M" if issubclass(type(error), MemoryError) else "L", error))
        return
    area.put(READY)
    for case in cases:
        area.begin_case()
        area.put(*_case(function, inside, case, area.room(), counted=counted))


def _lay_out(files: Mapping[str, str]) -> None:
    """Write the program's files where it is, in its scratch folder, and import from there."""
    for path, text in files.items():
        folder = os.path.dirname(path)  # noqa: PTH120 - pathlib would be one more module that every fork carries
        if folder:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - as above
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:  # noqa: PTH123 - as above
            file.write(text)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above


def _load(
    files: Mapping[str, str], entry: str, shapes: Sequence[tuple[str, tuple[str, ...]]], *, on_disk: bool
) -> tuple[Callable[..., Any], Inside]:
    finder = SourceFinder({} if on_disk else files)
    for path in files:  # a file of the program's goes before a module of that name
        sys.modules.pop(_module_name(path), None)
    sys.meta_path.insert(0, cast("Any", finder))
    module_name, _, function_name = entry.partition(":")
    module = finder.load(module_name)
    return getattr(module, function_name), Inside(dict(shapes), module)


def _case(
    function: Callable[..., Any], inside: Inside, case: bytes, room: int, *, counted: bool
) -> tuple[bytes | bytearray, int]:
    """The frame of one case, and how many bytes of it are the value's."""
    try:
        args, kwargs = decode(case, inside)
        value, count = _called(function, args, kwargs, counted=counted)
        encoded = encode(value, room, inside.write)
        if count is None:
            return b"".join((VALUE, U32.pack(len(encoded)), encoded, NO_COUNT)), len(encoded)
        return encode(("V", bytes(encoded), count)), len(encoded)
    except Refused as refusal:
        return encode(("P", refusal.code, str(refusal)[:MESSAGE_CHARACTERS])), 0
    except BaseException as error:  # noqa: BLE001 - SystemExit, too, is the program's answer
        return _exception_frame("M" if issubclass(type(error), MemoryError) else "E", error), 0


def _called(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, counted: bool
) -> tuple[object, int | None]:
    """What the function returns, and what that cost if somebody counts."""
    if not counted:
        return _driven(function(*args, **kwargs)), None
    with Opcodes() as cost:
        value = _driven(function(*args, **kwargs))
    return value, cost.count


def _driven(coroutine: object) -> object:
    """The result of a coroutine that waits for nothing real; anything else as it is."""
    if type(coroutine) is not CoroutineType:
        return coroutine
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("the coroutine awaits something that only an event loop could bring")


def _exception_frame(kind: str, error: BaseException) -> bytearray:
    name = _told(lambda: str.__str__(type(error).__name__)[:NAME_CHARACTERS], "")
    message = _told(lambda: str.__str__(str(error))[:MESSAGE_CHARACTERS], "")
    return encode((kind, name, message, _told(lambda: _line_of(error), None)))


def _told(tell: Callable[[], str | int | None], otherwise: str | None) -> str | int | None:
    """What an exception says of itself, as plain data: to say it runs the program's code, too."""
    try:
        told = tell()
    except BaseException:  # noqa: BLE001 - as above
        return otherwise
    return told if type(told) in (str, int) else otherwise


def _line_of(error: BaseException) -> int | None:
    """The innermost line of the program's own files, or where it is no Python at all."""
    failed: Any = error
    if issubclass(type(error), SyntaxError) and str(failed.filename).startswith(PROGRAM_FOLDER):
        return cast("int", failed.lineno)
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(PROGRAM_FOLDER):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
