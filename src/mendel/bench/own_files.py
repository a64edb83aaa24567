"""A user's own files: sources as text without secrets, and a ``task.py``, with its digest and how it is run.

A ``task.py`` is its author's code and runs in this process, as a spec of the gate does; so it is run only where its
digest is the one that the run recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

from mendel.bench.records import SpecFile
from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.contracts.scrub import Scrubber


def read_source(path: Path) -> str:
    """The text of a file, ends of lines as they are.

    Raises:
        ConfigError: it cannot be read, or is no UTF-8 text.
    """
    try:
        return _read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from error


def refuse_secrets(files: Mapping[str, str], scrubber: Scrubber) -> None:
    """Make sure that the log would keep all of these texts as they are.

    Raises:
        ConfigError: one holds what looks like a secret; with its line.
    """
    for path, text in files.items():
        clean = scrubber.text(text)
        if clean == text:
            continue
        pairs = zip(text.split("\n"), clean.split("\n"), strict=False)
        line = next((number for number, (before, after) in enumerate(pairs, 1) if before != after), 1)
        raise ConfigError(
            f"{path}, line {line}, holds what looks like a secret; the log would not keep it as it is, so"
            " move it out of there"
        )


def spec_file(path: Path) -> SpecFile:
    """The file as a run records it.

    Raises:
        ConfigError: it cannot be read.
    """
    return SpecFile(path=str(path), sha256=sha256(_read(path)).hexdigest())


def loaded(spec: SpecFile) -> ModuleType:
    """What the file defines.

    Raises:
        ConfigError: it cannot be read, or is another than was recorded.
        SpecFailed: it raises, or would end this process.
    """
    data = _read(Path(spec.path))
    if sha256(data).hexdigest() != spec.sha256:
        raise ConfigError(f"{spec.path} is another file than the run was begun with; put that one back to go on")
    made = spec_from_loader("mendel_task", loader=None, origin=spec.path)
    if made is None:
        raise ConfigError(f"{spec.path} cannot be loaded")
    module = module_from_spec(made)
    module.__file__ = spec.path
    try:
        exec(compile(data, spec.path, "exec"), module.__dict__)  # noqa: S102  # nosec B102
    # Broad on purpose: a task's own code is a process boundary, and what it raises is told as its failure.
    except (Exception, SystemExit) as error:
        raise SpecFailed(f"{spec.path} raised {type(error).__name__}: {error}") from error
    return module


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
