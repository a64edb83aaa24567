"""A user's own files: sources as text without secrets, and a ``task.py`` with its digest.

A ``task.py`` is its author's code and runs in this process, like a spec of the gate. Therefore it is only run if its
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
    """Return the text of a file with its line ends unchanged.

    Raises:
        ConfigError: the file cannot be read, or is not UTF-8 text.
    """
    try:
        return _read(path).decode("utf-8-sig")  # a byte order mark is not part of the text
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def refuse_secrets(files: Mapping[str, str], scrubber: Scrubber) -> None:
    """Make sure that the log would store all of these texts unchanged.

    Raises:
        ConfigError: a text contains what looks like a secret; the message gives its line.
    """
    for path, text in files.items():
        clean = scrubber.text(text)
        if clean == text:
            continue
        pairs = zip(text.split("\n"), clean.split("\n"), strict=False)
        line = next((number for number, (before, after) in enumerate(pairs, 1) if before != after), 1)
        raise ConfigError(
            f"{path}, line {line}, holds what looks like a secret; the log would not store it unchanged, so"
            " move it to another place"
        )


def spec_file(path: Path) -> SpecFile:
    """Return the file's record for a run.

    Raises:
        ConfigError: the file cannot be read.
    """
    return SpecFile(path=str(path), sha256=sha256(_read(path)).hexdigest())


def loaded(spec: SpecFile) -> ModuleType:
    """Run the file and return it as a module.

    Raises:
        ConfigError: the file cannot be read, or is not the recorded one.
        SpecFailed: it raises, or tries to end this process.
    """
    data = _read(Path(spec.path))
    if sha256(data).hexdigest() != spec.sha256:
        raise ConfigError(f"{spec.path} has changed since the run began; restore the former file to continue")
    made = spec_from_loader("mendel_task", loader=None, origin=spec.path)
    if made is None:
        raise ConfigError(f"{spec.path} cannot be loaded")
    module = module_from_spec(made)
    module.__file__ = spec.path  # for files that locate others by it
    try:
        exec(compile(data, spec.path, "exec"), module.__dict__)  # noqa: S102  # nosec B102
    # Broad on purpose: the file is the user's code; whatever it raises is reported as its failure.
    except (Exception, SystemExit) as error:
        raise SpecFailed(f"{spec.path} raised {type(error).__name__}: {error}") from error
    return module


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
