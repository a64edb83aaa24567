"""Texts that want to be orders: what candidates may say to whoever judges them, in ``corpus.json``.

Written with escapes, so that what nobody sees can be seen. ``times`` repeats a text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final


def _read() -> dict[str, str]:
    entries = json.loads((Path(__file__).parent / "corpus.json").read_text())
    return {f"{each['family']}: {each['name']}": each["text"] * each.get("times", 1) for each in entries}


INJECTIONS: Final = _read()
"""Every injection, by its family and name."""
