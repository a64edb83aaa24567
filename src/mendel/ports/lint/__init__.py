"""The static policy: early, friendly errors about source text. Security is the operating system's, not this."""

from mendel.ports.lint.fingerprints import fingerprint
from mendel.ports.lint.linting import lint

__all__ = ["fingerprint", "lint"]
