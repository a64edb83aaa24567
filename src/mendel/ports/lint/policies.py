"""The policies of the three profiles: what each one allows, and its limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from mendel.contracts.lint import Profile
from mendel.ports.lint import vocabulary as words
from mendel.ports.lint.members import public_members


@dataclass(frozen=True, slots=True)
class Policy:
    """The permissions and limits of one profile."""

    profile: Profile
    most_bytes: int
    most_nesting: int
    syntax: frozenset[str]
    builtins: frozenset[str]
    dunders: frozenset[str]
    modules: Mapping[str, words.Members]
    provided: frozenset[str] = frozenset()
    granted: frozenset[str] = frozenset()

    def grants(self, module: str) -> bool:
        """Return whether the caller granted ``module`` or a package that contains it; its use is not checked."""
        parts = module.split(".")
        return any(".".join(parts[:end]) in self.granted for end in range(1, len(parts) + 1))

    def leads_to_grant(self, module: str) -> bool:
        """Return whether ``module`` is a parent package of a granted one, as ``a`` is of ``a.b``."""
        return any(granted.startswith(module + ".") for granted in self.granted)

    def imports(self, module: str) -> bool:
        """Return whether ``module`` may be imported."""
        return module in self.modules or self.grants(module)

    def offers(self, module: str, member: str) -> bool:
        """Return whether code may use ``member`` of the allowed ``module``."""
        path = f"{module}.{member}"
        if self.imports(path) or self.leads_to_grant(path):
            return True
        if module not in self.modules or path in words.REFUSED_MEMBERS:
            return False
        members = self.modules[module]
        return member in (public_members(module) if members is None else members)


PROGRAM: Final = Policy(
    profile="program",
    most_bytes=256_000,
    most_nesting=50,
    syntax=words.PROGRAM_SYNTAX,
    builtins=words.PROGRAM_BUILTINS,
    dunders=words.PROGRAM_DUNDERS,
    modules=words.PROGRAM_MODULES,
)
TOOL: Final = replace(PROGRAM, profile="tool", builtins=words.TOOL_BUILTINS, modules=words.TOOL_MODULES)
TRAIT: Final = Policy(
    profile="trait",
    most_bytes=32_000,
    most_nesting=25,
    syntax=words.TRAIT_SYNTAX,
    builtins=words.TRAIT_BUILTINS,
    dunders=words.TRAIT_DUNDERS,
    modules=words.TRAIT_MODULES,
    provided=frozenset({"Trait"}),
)
POLICIES: Final[Mapping[Profile, Policy]] = MappingProxyType({"program": PROGRAM, "tool": TOOL, "trait": TRAIT})


def policy_for(profile: Profile, allow_imports: Collection[str] = ()) -> Policy:
    """Return the policy of ``profile``, with the further modules that the caller grants."""
    policy = POLICIES[profile]
    return replace(policy, granted=frozenset(allow_imports)) if allow_imports else policy
