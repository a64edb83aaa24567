"""`mendel`, tied to the process that started it: `python -m mendel.cli.tethered PID …` ends when that one does.

A server that is killed leaves no conductors behind: the kernel of the machine tells them, as a terminal would.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_ALONE: Final = 4


def main() -> None:
    """Tie this process to its parent, and be `mendel`."""
    parent, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(parent):  # it died before we were tied to it
        sys.exit(_ALONE)
    from mendel.cli.main import main as mendel  # only now: whatever it takes to load, it is tied

    mendel(arguments)


if __name__ == "__main__":
    main()
