"""Findings of the static policy about source text: early, readable errors before anything runs.

The policy is no security boundary: the operating system isolates the process that runs the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract

Profile = Literal["program", "tool", "trait"]
"""Purpose of a source text: a pure computation, a small command-line tool, or a trait of a living world."""


class LintCode(StrEnum):
    """Every reason to refuse a source text. Codes are for machines and models; they never change."""

    SOURCE_TOO_LARGE = "SOURCE_TOO_LARGE"
    SOURCE_TOO_DEEP = "SOURCE_TOO_DEEP"
    SOURCE_BAD_TEXT = "SOURCE_BAD_TEXT"  # NUL, a lone surrogate, or another encoding than UTF-8
    SYNTAX_ERROR = "SYNTAX_ERROR"
    AST_SYNTAX_FORBIDDEN = "AST_SYNTAX_FORBIDDEN"  # valid Python that the profile does not allow
    AST_IMPORT_FORBIDDEN = "AST_IMPORT_FORBIDDEN"
    AST_BANNED_CALL = "AST_BANNED_CALL"
    AST_BANNED_ATTR = "AST_BANNED_ATTR"  # private or introspective, such as __globals__
    AST_UNBOUND_VARIABLE = "AST_UNBOUND_VARIABLE"
    AST_AWAIT_ON_SYNC = "AST_AWAIT_ON_SYNC"  # await on a call that is not asynchronous
    AST_MODULE_LEVEL_CODE = "AST_MODULE_LEVEL_CODE"  # in a trait, which must do nothing when imported
    AST_NO_TRAIT_CLASS = "AST_NO_TRAIT_CLASS"
    AST_INIT_REQUIRED_ARGS = "AST_INIT_REQUIRED_ARGS"  # a trait is created without arguments
    AST_ENTITY_ATTR_FORBIDDEN = "AST_ENTITY_ATTR_FORBIDDEN"
    DUPLICATE_CODE = "DUPLICATE_CODE"  # the same code as a known text, up to names and layout
    SANDBOX_TIMEOUT = "SANDBOX_TIMEOUT"  # this and the next come from running the text
    SANDBOX_EXCEPTION = "SANDBOX_EXCEPTION"


class Finding(Contract):
    """One error in a source text: what is wrong, where, and how to fix it."""

    code: LintCode
    message: str = Field(min_length=1, description="What is wrong, in one sentence.")
    file: str = Field(description="The file, as named by the caller.")
    line: int = Field(ge=1, description="Line number, from 1.")
    column: int = Field(ge=1, description="Column in characters, from 1.")
    hint: str = Field(min_length=1, description="What to do instead.")

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message} ({self.hint})"


class EntityInterface(Contract):
    """The part of an entity that its traits may access; a trait that uses any other name is refused.

    ``writable`` fields can also be read. Methods can be called, but not assigned; asynchronous ones must be awaited.
    """

    readable: frozenset[str] = frozenset()
    writable: frozenset[str] = frozenset()
    sync_methods: frozenset[str] = frozenset()
    async_methods: frozenset[str] = frozenset()

    @model_validator(mode="after")
    def _says_one_thing_of_each_name(self) -> Self:
        fields = self.readable | self.writable
        if self.sync_methods & self.async_methods or fields & (self.sync_methods | self.async_methods):
            raise ValueError("each name of an entity is either a field, a synchronous method or an asynchronous method")
        return self

    @property
    def names(self) -> frozenset[str]:
        """Every readable name."""
        return self.readable | self.writable | self.sync_methods | self.async_methods


ENTITY: Final = EntityInterface(
    readable=frozenset(
        {
            *("id", "parent_id", "generation", "born_at_tick", "age", "dna_hash"),
            *("state", "max_energy", "traits", "deactivated_traits"),
        }
    ),
    writable=frozenset({"x", "y", "energy", "radius", "color"}),
)
"""The documented fields of a creature: a trait may change its body, but not its descent. A world adds its methods."""

RunCode = Literal[LintCode.SANDBOX_TIMEOUT, LintCode.SANDBOX_EXCEPTION]
"""Codes that come from running the text, not from analysing it."""

RUN_HINTS: Final[Mapping[RunCode, str]] = MappingProxyType(
    {
        LintCode.SANDBOX_TIMEOUT: "do less at each call: bound every loop, and keep what was computed",
        LintCode.SANDBOX_EXCEPTION: "handle this case, or check the value before it is used",
    }
)


def run_finding(code: RunCode, message: str, *, file: str, line: int = 1, column: int = 1) -> Finding:
    """Return a failure at run time as a finding, so that one consumer handles both kinds."""
    return Finding(code=code, message=message, file=file, line=line, column=column, hint=RUN_HINTS[code])
