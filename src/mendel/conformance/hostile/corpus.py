"""The corpus: one attack per file, described by a header that is read without running the file."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from mendel.contracts.evaluations import Layer, Limits, Outcome, OutcomeKind, Program

Proof = Literal[
    "secret",
    "heard",
    "marker",
    "struck",
    "hostname",
    "holds",
    "survivor",
    "memory",
    "time",
    "bomb",
    "answer",
    "forged",
    "untimed",
    "crossed",
    "flooded",
    "harness",
    "next",
    "message",
    "neighbour",
    "unspeakable",
    "stalled",
    "stateful",
    "cheated",
]
"""How success becomes visible to the parent; :mod:`mendel.conformance.hostile.proofs` defines each kind."""

HEADER: Final = "ATTACK"
DESIGN: Final = frozenset({"harness", "recheck", "check"})
"""Parts of the design that can be lifted although they are not layers."""

_PACKAGED: Final = Path(__file__).parents[1] / "hostile_corpus"
_CHECKOUT: Final = Path(__file__).parents[4] / "tests" / "hostile" / "corpus"
_EXPECTATION_KINDS: Final = frozenset(get_args(OutcomeKind))


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack program and its description.

    Args:
        name: the name of its file.
        attempted: the first line of its docstring.
        source: the program; its function ``attack`` is called with the targets.
        family: the kind of attack.
        stopped_by: the layers, or the parts of the design, that each stop it alone.
        proof: how its success becomes visible.
        expect: the kinds of outcome with which it may end in an intact sandbox.
        lift: the layers without which it succeeds, or a part of the design: ``harness`` (it succeeds against one that
            runs programs in its own process and trusts them), ``recheck`` (nothing is run twice), ``check`` (timed
            answers are not checked).
        lift_limits: limits with which it succeeds.
        never_lifted: why no lifting shows that it works; empty for nearly all.
        limits: limits other than the usual ones.
        more_than: the threshold of the proofs ``memory`` (bytes), ``time`` (seconds), ``bomb``, ``crossed``,
            ``flooded``, ``untimed`` and ``stalled``; for ``message`` the largest number that can be sent.
        holds: for the proof ``holds``, the name of a descriptor or namespace of the process in ``/proc``.
        files: further files of the program.
        beside: for the proof ``message``: whether sender and receiver run at once.
        cases: how often it is called.
    """

    name: str
    attempted: str
    source: str
    family: str
    stopped_by: tuple[str, ...]
    proof: Proof
    expect: tuple[OutcomeKind, ...]
    lift: tuple[Layer | Literal["harness", "recheck", "check"], ...] = ()
    lift_limits: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    never_lifted: str = ""
    limits: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    more_than: float = 0
    holds: str = ""
    files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    beside: bool = False
    cases: int = 1

    @property
    def liftable(self) -> bool:
        """Whether it can be shown to work once its protection is lifted."""
        return not self.never_lifted

    def program(self, function: str = "attack") -> Program:
        """Return the program for a sandbox."""
        return Program({**self.files, "candidate.py": self.source}, f"candidate:{function}")

    def limits_for(self, *, lifted: bool) -> Limits:
        """Return its resource limits."""
        changed: Mapping[str, Any] = {**self.limits, **(self.lift_limits if lifted else {})}
        return Limits(**changed)

    def expects(self, outcome: Outcome) -> bool:
        """Return whether it may end with this outcome."""
        return outcome.kind in self.expect


def corpus_folder() -> Path:
    """Return the folder of the corpus: in the installed package, or in the checkout."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


def attacks(folder: Path | None = None, *, only: Collection[str] = ()) -> tuple[Attack, ...]:
    """Return every attack of the folder (by default the corpus) by name; ``only`` selects names or families.

    Raises:
        ValueError: there is none, or none with a requested name; a file has no header, or an invalid one.
    """
    paths = sorted(path for path in (folder or corpus_folder()).glob("*.py") if path.name[0] != "_")
    if not paths:
        raise ValueError(f"there is no attack in {folder or corpus_folder()}")
    found = tuple(load(path) for path in paths)
    strangers = set(only) - {attack.name for attack in found} - {attack.family for attack in found}
    if strangers:
        known = ", ".join(sorted({attack.family for attack in found}))
        raise ValueError(f"no attack or family is called {min(strangers)!r}; the families are {known}")
    return tuple(attack for attack in found if not only or {attack.name, attack.family} & set(only))


def load(path: Path) -> Attack:
    """Load one attack without running it."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    docstring = (ast.get_docstring(tree) or "").strip()
    if not docstring:
        raise ValueError(f"{path.name} does not say in a docstring what it attempts")
    header = _frozen(_header(tree, path.name))
    unknown = header.keys() - {field.name for field in fields(Attack)}
    if unknown:
        raise ValueError(f"{path.name}: the header has an unknown field {min(unknown)!r}")
    try:
        attack = Attack(name=path.stem, attempted=docstring.splitlines()[0], source=source, **header)
    except TypeError as error:
        raise ValueError(f"{path.name}: {error}") from error
    _check(attack)
    return attack


def _header(tree: ast.Module, name: str) -> dict[str, Any]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == HEADER for to in node.targets):
            header = ast.literal_eval(node.value)  # data only; the file is never run
            if isinstance(header, dict):
                return header
    raise ValueError(f"{name} has no header {HEADER} = {{…}}")


def _frozen(header: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in header.items()}


def _check(attack: Attack) -> None:
    if attack.proof not in get_args(Proof):
        raise ValueError(f"{attack.name}: there is no proof {attack.proof!r}")
    if not attack.expect or set(attack.expect) - _EXPECTATION_KINDS:
        raise ValueError(f"{attack.name}: every expected outcome must be one of {sorted(_EXPECTATION_KINDS)}")
    if set(attack.lift) - {*get_args(Layer), *DESIGN}:
        raise ValueError(f"{attack.name}: lift contains neither a layer nor a part of the design")
    if not attack.stopped_by or bool(attack.never_lifted) == bool(attack.lift or attack.lift_limits):
        raise ValueError(f"{attack.name}: its header needs stopped_by, and either lift or never_lifted")
    attack.limits_for(lifted=True)
