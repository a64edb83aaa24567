"""What a module of the standard library declares public."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import Final

_DECLARED: Final = f"__{'all'}__"  # whoever looks for modules that declare it must not find this one


@cache
def public_members(module: str) -> frozenset[str]:
    """The names that ``module`` offers to others; never the modules that it imported for itself.

    Only ever asked for modules of the allow-lists, whose import does nothing but define. One that this Python lacks
    offers nothing.
    """
    try:
        found = importlib.import_module(module)
    except ImportError:
        return frozenset()
    names = getattr(found, _DECLARED, None) or [name for name in vars(found) if not name.startswith("_")]
    return frozenset(name for name in names if not isinstance(getattr(found, name, None), ModuleType))
