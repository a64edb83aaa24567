"""The linter: from a source text to its findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from mendel.contracts.lint import ENTITY, EntityInterface, Finding, LintCode, Profile
from mendel.ports.lint.attributes import check_attributes
from mendel.ports.lint.awaits import check_awaits
from mendel.ports.lint.calls import check_calls
from mendel.ports.lint.fingerprints import text_fingerprint, tree_fingerprint
from mendel.ports.lint.imports import check_imports
from mendel.ports.lint.names import check_names
from mendel.ports.lint.parsing import Parsed, parse
from mendel.ports.lint.policies import policy_for
from mendel.ports.lint.readings import Reading, Remark
from mendel.ports.lint.scopes import Survey
from mendel.ports.lint.sources import Complaint, Place, Source, text_complaint
from mendel.ports.lint.syntax import check_syntax
from mendel.ports.lint.trait_class import check_trait_class
from mendel.ports.lint.trait_entity import Entities, check_entity
from mendel.ports.lint.trait_flow import check_flow
from mendel.ports.lint.trait_import_time import check_import_time

MOST_FINDINGS: Final = 50
"""Maximum number of findings per report."""


def lint(
    source: str,
    profile: Profile = "program",
    *,
    path: str = "candidate.py",
    known: Collection[str] = (),
    allow_imports: Collection[str] = (),
    entity: EntityInterface = ENTITY,
) -> tuple[Finding, ...]:
    """Return the findings about ``source``, sorted by position; empty if it may run in the sandbox.

    This is advice, not protection. It never raises and never runs the text, whatever the text is, and takes about a
    second at worst. Pure and thread-safe.

    Args:
        source: The text of one file.
        profile: The intended use of the text.
        path: The file's name, as findings show it.
        known: Fingerprints of existing code.
        allow_imports: Further modules that the caller grants: installed packages, files in the same folder.
        entity: The attributes of its entity that a trait may use.
    """
    text = Source(source)
    policy = policy_for(profile, allow_imports)
    unfit = text_complaint(text, policy.most_bytes, policy.most_nesting)
    parsed = Parsed(None, unfit) if unfit else parse(text)
    if parsed.tree is None:
        complaints = [item for item in (parsed.complaint,) if item]
        digest = text_fingerprint(source) if known else ""
    else:
        reading = Reading(policy, Survey(parsed.tree), entity)
        complaints = _placed(text, list(_remarks(reading)))
        digest = tree_fingerprint(parsed.tree) if known else ""
    if digest in known:
        complaints.insert(0, _duplicate())
    return tuple(_finding(item, path) for item in complaints)


def _remarks(reading: Reading) -> Iterator[Remark]:
    for check in (check_syntax, check_imports, check_names, check_attributes, check_calls):
        yield from check(reading)
    if reading.policy.profile == "trait":
        entities = Entities(reading)
        for check in (check_trait_class, check_import_time, check_flow):
            yield from check(reading)
        yield from check_entity(reading, entities)
        yield from check_awaits(reading, entities)


def _placed(text: Source, remarks: list[Remark]) -> list[Complaint]:
    """Return the first complaints by position; the places of all others are never computed."""
    # Without duplicates: two rules may make the same remark.
    ordered = sorted(
        dict.fromkeys((*_position(remark), remark.code, remark.message, remark.hint) for remark in remarks)
    )
    return [
        Complaint(code, text.place(line, column), message, hint)
        for line, column, code, message, hint in ordered[:MOST_FINDINGS]
    ]


def _position(remark: Remark) -> tuple[int, int]:
    return getattr(remark.node, "lineno", 1), getattr(remark.node, "col_offset", 0)


def _duplicate() -> Complaint:
    message = "the same code exists already; it differs in formatting at most"
    return Complaint(LintCode.DUPLICATE_CODE, Place(1, 1), message, "change what it does")


def _finding(item: Complaint, path: str) -> Finding:
    return Finding(
        code=item.code,
        message=_clean(item.message),
        file=_clean(path),
        line=item.place.line,
        column=item.place.column,
        hint=_clean(item.hint),
    )


def _clean(text: str) -> str:
    """Replace lone surrogates in ``text``, which JSON and the log cannot contain."""
    return text.encode("utf-8", "replace").decode()
