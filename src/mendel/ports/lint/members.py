"""The public names of modules of the standard library."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import Final

_DECLARED: Final = f"__{'all'}__"  # spelled like this so that searches for modules with the name skip this one


@cache
def public_members(module: str) -> frozenset[str]:
    """Return the public names of ``module``, without the modules that it imported for itself.

    Only called for modules of the allow-lists, which are safe to import because they only define names. A module that
    this Python lacks has none.
    """
    try:
        found = importlib.import_module(module)
    except ImportError:
        return frozenset()
    names = getattr(found, _DECLARED, None) or [name for name in vars(found) if not name.startswith("_")]
    return frozenset(name for name in names if not isinstance(getattr(found, name, None), ModuleType))
