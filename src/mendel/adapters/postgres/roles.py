"""The roles of the database: one owns it, one writes events, one writes what is made of them."""

from __future__ import annotations

from typing import Final

RUNTIME_ROLE: Final = "mendel_runtime"
OWNER_ROLE: Final = "mendel_owner"
PROJECTOR_ROLE: Final = "mendel_projector"
