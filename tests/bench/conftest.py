"""One native sandbox for all tests of a module, as those of the programs have."""

from __future__ import annotations

from tests.domains.programs.conftest import native

__all__ = ["native"]
