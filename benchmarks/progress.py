"""A line on stderr at least every two seconds, also during long steps."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self

_INTERVAL_S = 1.9  # below the promised two seconds, with room for a late wake-up


class Progress:
    """Prints the current step, when it begins and repeatedly while it takes long."""

    def __init__(self, benchmark: str) -> None:
        self._benchmark = benchmark
        self._step = "starting"
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def say(self, step: str) -> None:
        """Begin ``step``."""
        self._step = step
        self._line()

    def _beat(self) -> None:
        while not self._over.wait(_INTERVAL_S):
            self._line()

    def _line(self) -> None:
        elapsed = time.monotonic() - self._began
        print(f"[{self._benchmark} {elapsed:6.1f} s] {self._step}", file=sys.stderr, flush=True)
