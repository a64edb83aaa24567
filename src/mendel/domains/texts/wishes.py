"""A user's wish: files that may change, commands that run and score them, and the files that these need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, get_args

from mendel.bench.own_files import read_source, refuse_secrets
from mendel.contracts.errors import ConfigError
from mendel.contracts.scrub import Scrubber
from mendel.domains.texts.models import Objective, TextTask
from mendel.domains.texts.regions import parts_of
from mendel.ports.command_program import DRIVER

MOST_BYTES: Final = 1 << 20  # per file
MEMORY_MB: Final = 2_048
CASE_S: Final = 10.0
LANGUAGES: Final[Mapping[str, str]] = {
    ".awk": "AWK",
    ".c": "C",
    ".cc": "C++",
    ".cpp": "C++",
    ".cs": "C#",
    ".f90": "Fortran",
    ".go": "Go",
    ".h": "C",
    ".hs": "Haskell",
    ".java": "Java",
    ".jl": "Julia",
    ".js": "JavaScript",
    ".kt": "Kotlin",
    ".lua": "Lua",
    ".mjs": "JavaScript",
    ".ml": "OCaml",
    ".php": "PHP",
    ".pl": "Perl",
    ".py": "Python",
    ".r": "R",
    ".rb": "Ruby",
    ".rs": "Rust",
    ".scm": "Scheme",
    ".sed": "sed",
    ".sh": "shell",
    ".sql": "SQL",
    ".swift": "Swift",
    ".tcl": "Tcl",
    ".ts": "TypeScript",
    ".zig": "Zig",
}
_WORD: Final = re.compile(r"[A-Za-z0-9_./+-]+")  # a word of a command that may be a path
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*")  # needs no quotes in a shell


@dataclass(frozen=True)
class TextWish:
    """``files`` may change, ``more`` are copied unchanged; ``run``, ``held_run`` and ``score`` are commands.

    A file that a command names is copied into the sandbox without being listed.
    """

    files: tuple[Path, ...]
    run: str
    more: tuple[Path, ...] = ()
    held_run: str | None = None
    score: str | None = None
    objective: str | None = None
    maximize: bool = True
    case_s: float | None = None
    memory_mb: int | None = None


@dataclass(frozen=True)
class _Material:
    """Texts by their names in the sandbox: those of every run, of the gate only, and of the score only.

    ``paths`` are the user's names of the files that may change.
    """

    files: Mapping[str, str]
    paths: Mapping[str, str]
    held: Mapping[str, str]
    score: Mapping[str, str]


def drafted(wish: TextWish, scrubber: Scrubber) -> TextTask:
    """Return the task as far as reading determines it.

    Raises:
        ConfigError: a file cannot be read, is not text, contains what looks like a secret, or has marks that do not
            match; or the wish is invalid.
    """
    objective = objective_of(wish)
    mine = _different(wish.files)
    texts = {name: read(path) for name, path in mine.items()}
    files = {**_named((wish.run,)), **{name_of(path): read(path) for path in wish.more}, **texts}
    held = {name: text for name, text in _named((wish.held_run,)).items() if name not in files}  # only the gate's own
    paths = {name: str(path) for name, path in mine.items()}
    return _task(wish, objective, _Material(files, paths, held, _named((wish.score,))), scrubber)


def pasted(
    wish: TextWish, source: str, more: Mapping[str, str], score: Mapping[str, str], scrubber: Scrubber
) -> TextTask:
    """Return the task of a pasted text: no file of this machine is read, even if the commands name one.

    Raises:
        ConfigError: as with :func:`drafted`.
    """
    name = str(wish.files[0])
    for each in (name, *more, *score):
        if not _NAME.fullmatch(each) or each == DRIVER or {".", ".."} & set(each.split("/")):
            raise ConfigError(f"{each!r} cannot be a file name in the sandbox; use letters, digits, _, . and -")
    for each, text in {**more, **score, name: source}.items():
        if "\0" in text or len(text.encode()) > MOST_BYTES:
            raise ConfigError(f"{each} is not text of at most {MOST_BYTES:,} bytes")
    if name in more:
        raise ConfigError(f"{name} may change, but is also among the files that stay unchanged; remove it there")
    return _task(wish, objective_of(wish), _Material({**more, name: source}, {name: name}, {}, score), scrubber)


def _task(wish: TextWish, objective: Objective, material: _Material, scrubber: Scrubber) -> TextTask:
    _refuse_shared(material.score, material.paths)
    for name in material.paths:
        parts_of(material.files[name], name)
    commands = {"--run": wish.run, "--held-run": wish.held_run or "", "--score": wish.score or ""}
    refuse_secrets({**material.held, **material.score, **material.files, **commands}, scrubber)
    first = wish.files[0]
    return TextTask(
        path=str(first),
        files=dict(material.files),
        editable=tuple(material.paths),
        paths=dict(material.paths),
        language=LANGUAGES.get(first.suffix.lower(), "the language of its file"),
        run=_command("--run", wish.run),
        held_run=_command("--held-run", wish.held_run) if wish.held_run is not None else None,
        held_files=dict(material.held),
        score=_command("--score", wish.score) if wish.score is not None else None,
        score_files=dict(material.score),
        objective=objective,
        maximize=wish.maximize,
        case_s=wish.case_s or CASE_S,
        memory_mb=wish.memory_mb or MEMORY_MB,
    )


def objective_of(wish: TextWish) -> Objective:
    """Return the objective: a score if there is a command for it, else speed.

    Raises:
        ConfigError: the objective is unknown, or does not fit ``--score``.
    """
    known = get_args(Objective)
    given = wish.objective or ("score" if wish.score is not None else "speed")
    if given not in known:
        raise ConfigError(f"with --run the objective is {' or '.join(known)}, not {given!r}")
    if given == "score" and wish.score is None:
        raise ConfigError(
            "--objective score needs --score CMD: a command that reads what the program printed and prints a number"
        )
    if given == "speed" and wish.score is not None:
        raise ConfigError("--objective speed goes by what the original prints; leave out --score, or --objective")
    return cast("Objective", given)


def name_of(path: Path) -> str:
    """Return a file's name in the sandbox: its path from here, so that commands find it there; else its own name.

    Raises:
        ConfigError: the name is not allowed.
    """
    here, whole = Path.cwd().resolve(), path.resolve()
    name = whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.name
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} has characters not allowed in the sandbox; use letters, digits, _, . and -")
    if name == DRIVER:
        raise ConfigError(f"{name} is the name of one of Mendel's files in the sandbox; rename yours")
    return name


def read(path: Path) -> str:
    """Return the text of a user's file.

    Raises:
        ConfigError: the file cannot be read, is not UTF-8 text, or is too large.
    """
    text = read_source(path)
    if "\0" in text:
        raise ConfigError(f"{path} is not text: it has a NUL at character {text.index(chr(0))}")
    if (size := len(text.encode())) > MOST_BYTES:
        raise ConfigError(f"{path} has {size:,} bytes; at most {MOST_BYTES:,} are allowed")
    return text


def _different(paths: Sequence[Path]) -> dict[str, Path]:
    """Return the files that may change, by their names in the sandbox."""
    found = {name_of(path): path for path in paths}
    if len(found) < len(paths):
        raise ConfigError(f"two files would have the same name in the sandbox: {', '.join(map(str, paths))}")
    return found


def _named(commands: Iterable[str | None]) -> dict[str, str]:
    """Return the files below here that commands name, by their names in the sandbox; non-text files are left out."""
    found: dict[str, str] = {}
    for word in (word for command in commands if command is not None for word in _WORD.findall(command)):
        path = Path(word)
        if path.is_absolute() or not path.is_file() or not path.resolve().is_relative_to(Path.cwd().resolve()):
            continue
        try:
            found[name_of(path)] = read(path)
        except ConfigError:
            continue  # such as a binary that the command builds; if it is missing, the first run reports it
    return found


def _refuse_shared(score: Mapping[str, str], mine: Mapping[str, str]) -> None:
    shared = sorted(score.keys() & mine.keys())
    if shared:
        raise ConfigError(
            f"--score names {shared[0]}, which may change: a program must not affect its own scoring; the command reads"
            " the program's output on its standard input"
        )


def _command(option: str, text: str) -> str:
    if not text.strip() or "\0" in text:
        raise ConfigError(f'{option} is a command, such as {option} "node program.js"')
    return text
