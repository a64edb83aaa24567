"""The sandbox's child: the codec for values that enter or leave the sandbox, and the runner of programs.

A single file that uses only the standard library. Its two parts:

* the **codec** (``encode``, ``decode``): exactly typed values as bytes, used on both sides of the sandbox. ``decode``
  accepts any bytes and either returns a value or raises ``Refused``.
* the **runner** (``run``): loads a program and calls it case by case. It runs in a fork that has given up its rights
  (:mod:`mendel.adapters.sandbox.zygote`), and writes the result of each case into memory that the parent reads
  once the fork is dead.

A program controls its fork: it can overwrite anything here in its own process. So the parent uses only the values that
a fork returns, which are compared elsewhere; resource use and exit status come from the kernel.
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
"""Comparing keys up to this size takes time proportional to their size."""

SLICE = 256
"""Number of keys inserted into a table between two checks of the elapsed time."""
PACK_FROM = 4  # shorter lists are not worth packing


class Refused(Exception):
    """A value that may not enter or leave the sandbox, or bytes that encode no value; ``code`` is an error code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Writer:
    """Writes values to ``out``, at most ``limit`` bytes; ``stranger`` handles types that are not built in."""

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
        """Write a tag, the length of the data, and the data."""
        if len(self.out) + len(data) > self.limit:
            raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the value takes more than {self.limit} bytes")
        self.out += tag
        self.out += struct.pack("<I", len(data))
        self.out += data

    def text(self, text: str) -> None:
        """Write a string; lone surrogates are preserved."""
        self.sized(b"s", text.encode("utf-8", "surrogatepass"))


def _write_int(writer: Writer, value: int, depth: int) -> None:  # noqa: ARG001
    if -(1 << 63) <= value < 1 << 63:
        writer.out += struct.pack("<cq", b"i", value)
    else:
        size = value.bit_length() // 8 + 1
        if size > writer.limit:  # before the conversion, which would take time and memory
            raise Refused("SANDBOX_RESULT_TOO_LARGE", f"the number takes more than {writer.limit} bytes")
        writer.sized(b"I", value.to_bytes(size, "little", signed=True))


def _write_dict(writer: Writer, value: dict[Any, Any], depth: int) -> None:
    _write_items(writer, b"D", list(value), depth)
    _write_items(writer, b"l", list(value.values()), depth)


def _write_items(writer: Writer, tag: bytes, items: Sequence[Any], depth: int) -> None:
    """Write items; those of one machine type go as one buffer, so that a million numbers cost a few calls."""
    if len(items) > writer.limit:  # before packing, which copies all items
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
    kinds = set(map(type, items))  # exact types: a bool must not become an int
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
    """Return the writer for a Decimal, or None for any other value."""
    decimal = sys.modules.get("decimal")  # unless it is loaded, no Decimal exists
    if decimal is None or type(value) is not decimal.Decimal:
        return None
    return lambda writer, number, _depth: writer.sized(b"x", str(number).encode())


class Strangers:
    """Constructs the values that have different classes on the two sides: arrays and declared dataclasses."""

    def array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> object:
        """Construct an array."""

    def record(self, name: str, fields: tuple[tuple[str, object], ...]) -> object:
        """Construct an instance of a declared dataclass."""


class Patience:
    """The budget of decoding: values, bytes compared for keys of equal hash, processor seconds for tables."""

    def __init__(self, values: float = math.inf, comparing: float = math.inf, seconds: float = math.inf) -> None:
        self.values = values
        self.comparing = comparing
        self.seconds = seconds


class Reader:
    """Reads values from untrusted bytes."""

    def __init__(self, data: bytes, strangers: Strangers, patience: Patience) -> None:
        self.data = data
        self.at = 0
        self.strangers = strangers
        self._patience = patience

    def value(self, depth: int = 0) -> Any:  # noqa: ANN401 - this is what a codec is for
        """Read the next value."""
        tag = self.data[self.at : self.at + 1]
        reader = READERS.get(tag)
        if reader is None or depth > MAX_DEPTH + 1:
            raise Refused("SANDBOX_PROTOCOL", f"no value begins with {tag!r} at byte {self.at}")
        self.at += 1
        return reader(self, depth)

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Read the next fields of a fixed layout."""
        if self.at + layout.size > len(self.data):
            raise Refused("SANDBOX_PROTOCOL", f"the bytes end within a value, at byte {self.at}")
        fields = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return fields

    def sized(self) -> bytes:
        """Read a length and that many bytes."""
        (size,) = self.unpack(U32)
        if self.at + size > len(self.data):
            raise Refused("SANDBOX_PROTOCOL", f"{size} bytes are announced at byte {self.at}, fewer follow")
        self.at += size
        return self.data[self.at - size : self.at]

    def items(self, depth: int, sizes: list[int] | None = None) -> list[Any]:
        """Read the items of a container; append their sizes in bytes to ``sizes``, unless they are packed."""
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
        if count > len(self.data) - self.at:  # each item takes at least one byte
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
        """Read the members of a set or the keys of a dict: hashable, and not constructed to collide."""
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
        """Insert the keys into a table in slices: adversarial numbers can make each key collide with all before it."""
        table: dict[Any, None] = {}
        for at in range(0, len(keys), SLICE):
            began = time.thread_time()  # processor time: a busy machine must not fail honest values
            table.update(dict.fromkeys(keys[at : at + SLICE]))
            self._patience.seconds -= time.thread_time() - began
            if self._patience.seconds < 0:
                raise Refused("SANDBOX_PROTOCOL", "keys or members that collide on purpose")
        return table

    def _refuse_crowds(self, hashes: list[int], sizes: list[int]) -> None:
        """Charge for keys of equal hash: they are compared pairwise, large ones at a cost quadratic in their size."""
        by_hash = sorted(range(len(hashes)), key=hashes.__getitem__)
        for _, crowd in itertools.groupby(by_hash, hashes.__getitem__):
            members = list(crowd)
            size = max(sizes[member] for member in members)
            self._patience.comparing -= (len(members) ** 2 - 1) * size * max(1, size / SMALL_KEY)
        if self._patience.comparing < 0:
            raise Refused("SANDBOX_PROTOCOL", "keys or members that share a hash on purpose")

    def text(self) -> str:
        """Read a string without its tag."""
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
PACKED = frozenset({b"q", b"d"})  # array type codes: 64-bit integers and doubles


T = TypeVar("T")


def _checked(make: Callable[[], T]) -> T:
    """Call a constructor with untrusted field values; raise ``Refused`` if it fails."""
    try:
        return make()
    except (ValueError, OverflowError, TypeError, ArithmeticError) as error:
        raise Refused("SANDBOX_PROTOCOL", f"invalid fields: {error}") from error


def _read_dict(reader: Reader, depth: int) -> dict[Any, Any]:
    keys = reader.keys(depth)
    if reader.data[reader.at : reader.at + 1] != b"l":
        raise Refused("SANDBOX_PROTOCOL", "a dict without values")
    reader.at += 1
    values = reader.items(depth)
    if len(keys) != len(values):
        raise Refused("SANDBOX_PROTOCOL", f"a dict of {len(keys)} keys and {len(values)} values")
    return dict(zip(keys, values, strict=True))  # in order of first appearance, as in the table


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
        raise Refused("SANDBOX_PROTOCOL", "a value in place of a time zone")
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
        raise Refused("SANDBOX_PROTOCOL", "an array with an invalid type, shape or buffer")
    return _checked(lambda: reader.strangers.array(dtype, shape, data))


def _read_record(reader: Reader, depth: int) -> object:
    name, fields = reader.value(depth + 1), reader.value(depth + 1)
    fits = (
        type(name) is str and type(fields) is tuple and all(type(pair) is tuple and len(pair) == 2 for pair in fields)
    )
    if not fits or not all(type(field) is str for field, _ in fields):
        raise Refused("SANDBOX_PROTOCOL", "a record with an invalid name or invalid fields")
    return reader.strangers.record(name, fields)


def _read_decimal(reader: Reader, _depth: int) -> object:
    text = reader.sized()
    return _checked(lambda: importlib.import_module("decimal").Decimal(text.decode("ascii")))  # imported on demand


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
    """Refuse a value of an undeclared type."""
    name = type(value).__qualname__
    raise Refused("SANDBOX_UNDECLARED_TYPE", f"a value of the type {name} may not cross; return plain data instead")


def encode(
    value: object, limit: int = 1 << 30, stranger: Callable[[Writer, Any, int], None] = refuse_stranger
) -> bytearray:
    """Encode a value as bytes; raise ``Refused`` if it may not leave or enter the sandbox."""
    writer = Writer(limit, stranger)
    writer.write(value)
    return writer.out


def decode(data: bytes, strangers: Strangers, patience: Patience | None = None) -> Any:  # noqa: ANN401 - as above
    """Decode bytes to a value; raise ``Refused`` for invalid bytes, or when ``patience`` is used up."""
    reader = Reader(data, strangers, patience or Patience())
    value = reader.value()
    if reader.at != len(data):
        raise Refused("SANDBOX_PROTOCOL", f"{len(data) - reader.at} bytes follow the value")
    return value


READY = bytes(encode(("R",)))  # the frame that means the program is loaded
NO_COUNT = b"N"
VALUE = bytes(encode(("V", b"", None))).removesuffix(U32.pack(0) + NO_COUNT)
"""The beginning of a value's frame; it ends with ``NO_COUNT`` unless opcodes are counted. Enables a fast path."""

# --- the runner ---------------------------------------------------------------------------------------------------

ERROR_BYTES = 5_000
"""Maximum size of the frame of a failed case."""

ROOM_FOR_ERRORS = 64 << 20
"""Size of an answer area beyond the limit for values."""

HEADER = struct.Struct("<QQQ")
"""At the start of the answer area: bytes of frames, number of frames, and start time of the current case (ns)."""

PROGRAM_FOLDER = "/program/"  # file names in tracebacks begin with it
MESSAGE_CHARACTERS = 1_000  # of an exception
NAME_CHARACTERS = 200


class AnswerArea:
    """Memory that outlives the fork: one frame once the program is loaded, then one per finished case."""

    def __init__(self, memory: mmap.mmap, limit: int) -> None:
        self._memory = memory
        self._room = limit
        self._at = HEADER.size
        self._frames = 0

    def begin_case(self) -> None:
        """Record the start of a case, for the zygote that watches the time."""
        HEADER.pack_into(self._memory, 0, self._at - HEADER.size, self._frames, time.monotonic_ns())

    def room(self) -> int:
        """Return the number of bytes left for values."""
        return self._room

    def put(self, frame: bytes | bytearray, value_bytes: int = 0) -> None:
        """Append a frame; it is valid only once the header counts it."""
        self._room -= value_bytes
        end = self._at + 4 + len(frame)
        U32.pack_into(self._memory, self._at, len(frame))
        self._memory[self._at + 4 : end] = bytes(frame)
        self._at, self._frames = end, self._frames + 1
        HEADER.pack_into(self._memory, 0, self._at - HEADER.size, self._frames, time.monotonic_ns())


class SourceFinder:
    """Imports the program's files from memory, without any file on disk.

    A finder and loader without their abstract base classes, whose module would import thirty others into every fork.
    """

    def create_module(self, _spec: importlib.machinery.ModuleSpec) -> None:
        """Return None, for an ordinary module."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._modules = {_module_name(path): path for path in files if path.endswith(".py")}
        self._files = files

    def load(self, name: str) -> ModuleType:
        """Import a module; a top-level file of the program bypasses the import system."""
        if name not in self._modules or "." in name:
            return importlib.import_module(name)
        module = ModuleType(name)
        sys.modules[name] = module  # before it runs, as the import system does
        self.exec_module(module)
        return module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module that the program contains; packages need no ``__init__.py``."""
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
            exec(code, module.__dict__)  # noqa: S102 - running programs is the purpose of this file  # nosec B102


def _module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


class Inside(Strangers):
    """Makes NumPy arrays, and instances of the program's own dataclasses."""

    def __init__(self, shapes: Mapping[str, tuple[str, ...]], module: ModuleType) -> None:
        self._shapes = shapes
        self._module = module

    def array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> object:
        """Return an array with its own memory, which the program may modify."""
        numpy = importlib.import_module("numpy")
        return numpy.frombuffer(bytearray(data), dtype=dtype).reshape(shape)

    def record(self, name: str, fields: tuple[tuple[str, object], ...]) -> object:
        """Return an instance of the program's class of that name."""
        return getattr(self._module, name)(**dict(fields))

    def write(self, writer: Writer, value: Any, depth: int) -> None:  # noqa: ANN401 - any object at all
        """Write an array as its buffer, a declared dataclass as its fields; refuse any other type."""
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
    """Counts the bytecode instructions executed in the program's own frames: a cost that repeats exactly.

    The count is kept in the program's process, so a hostile program can falsify it.
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
            frame.f_trace_opcodes, frame.f_trace_lines = True, False  # lines are not counted
        elif event == "opcode":
            self.count += 1
        return self._trace


def run(request: bytes, memory: mmap.mmap) -> None:
    """Perform a request, in a fork that has given up its rights."""
    told = marshal.loads(request)  # noqa: S302 - from the parent, read before any program code runs  # nosec B302
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
    """Write the program's files into its scratch folder (the current one), and import from there."""
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
    for path in files:  # the program's files take precedence over loaded modules
        sys.modules.pop(_module_name(path), None)
    sys.meta_path.insert(0, cast("Any", finder))
    module_name, _, function_name = entry.partition(":")
    module = finder.load(module_name)
    return getattr(module, function_name), Inside(dict(shapes), module)


def _case(
    function: Callable[..., Any], inside: Inside, case: bytes, room: int, *, counted: bool
) -> tuple[bytes | bytearray, int]:
    """Run one case; return its frame, and the size of the value in it."""
    try:
        args, kwargs = decode(case, inside)  # here, so that earlier cases cannot change them
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
    """Call the function; return its result, and its cost in opcodes if ``counted``."""
    if not counted:
        return _driven(function(*args, **kwargs)), None
    with Opcodes() as cost:
        value = _driven(function(*args, **kwargs))
    return value, cost.count


def _driven(coroutine: object) -> object:
    """Return the result of a coroutine that never suspends; return anything else unchanged."""
    if type(coroutine) is not CoroutineType:
        return coroutine
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("the coroutine awaits something that requires an event loop")


def _exception_frame(kind: str, error: BaseException) -> bytearray:
    name = _told(lambda: str.__str__(type(error).__name__)[:NAME_CHARACTERS], "")
    message = _told(lambda: str.__str__(str(error))[:MESSAGE_CHARACTERS], "")
    return encode((kind, name, message, _told(lambda: _line_of(error), None)))


def _told(tell: Callable[[], str | int | None], otherwise: str | None) -> str | int | None:
    """Return text or a number from an exception; reading it can run code of the program, so failures are caught."""
    try:
        told = tell()
    except BaseException:  # noqa: BLE001 - as above
        return otherwise
    return told if type(told) in (str, int) else otherwise  # exact types: a subclass may run the program's code


def _line_of(error: BaseException) -> int | None:
    """Return the innermost line of the program's own files, or the line of its syntax error."""
    failed: Any = error
    if issubclass(type(error), SyntaxError) and str(failed.filename).startswith(PROGRAM_FOLDER):
        return cast("int", failed.lineno)
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(PROGRAM_FOLDER):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
