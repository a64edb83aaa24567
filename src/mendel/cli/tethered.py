"""`mendel`, tied to its parent process: `python -m mendel.cli.tethered PID …` ends when that process ends.

A killed server therefore leaves no conductors behind: the operating system sends them SIGTERM.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1  # from <sys/prctl.h>
_ALONE: Final = 4  # exit code


def main() -> None:
    """Tie this process to its parent, then run `mendel`."""
    parent, *arguments = sys.argv[1:]  # the parent's pid, to detect that it has died already
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(parent):  # the parent died before prctl took effect
        sys.exit(_ALONE)
    from mendel.cli.main import main as mendel  # late: loading takes a while, and must be tied, too

    mendel(arguments)


if __name__ == "__main__":
    main()
