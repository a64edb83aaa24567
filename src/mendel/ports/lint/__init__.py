"""The static policy: early, friendly errors about source text. Security is up to the operating system."""

from mendel.ports.lint.fingerprints import fingerprint
from mendel.ports.lint.linting import lint

__all__ = ["fingerprint", "lint"]
