"""The database roles: one owns the schema, one inserts events, one writes read models."""

from __future__ import annotations

from typing import Final

RUNTIME_ROLE: Final = "mendel_runtime"
OWNER_ROLE: Final = "mendel_owner"
PROJECTOR_ROLE: Final = "mendel_projector"
