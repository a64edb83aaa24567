"""The measured machine and its basic speeds, as units for judging absolute rates."""

from __future__ import annotations

import hashlib
import os
import platform
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg

_BLOCK: Final = bytes(1_000_000)
_HASH_S: Final = 0.3
_COMMITS: Final = 500


def description(conninfo: str) -> dict[str, object]:
    """Return date, processor and versions."""
    with psycopg.connect(conninfo) as conn:
        postgres = conn.info.parameter_status("server_version")
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpus": os.cpu_count(),
        "model": _cpu_model(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "postgres": postgres,
        "psycopg": f"{psycopg.__version__} ({psycopg.pq.__impl__})",
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def unit(conninfo: str) -> dict[str, float]:
    """Measure SHA-256 in MB/s, and synchronous commits of one 500-byte row per second."""
    return {"sha256_mb_s": round(_sha256_mb_s()), "commits_s": round(_commits_s(conninfo))}


def reset_peak_rss() -> None:
    """Reset the peak memory of this process to its current memory."""
    Path("/proc/self/clear_refs").write_text("5")  # 5 resets VmHWM, see proc(5)


def peak_rss_mb() -> float:
    """Return the peak memory of this process since ``reset_peak_rss``."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return round(int(line.split()[1]) / 1024, 1)
    raise RuntimeError("the kernel does not report the peak memory of this process")


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def _sha256_mb_s() -> float:
    blocks, began = 0, time.perf_counter()
    while time.perf_counter() - began < _HASH_S:
        hashlib.sha256(_BLOCK).digest()
        blocks += 1
    return blocks / (time.perf_counter() - began)


def _commits_s(conninfo: str) -> float:
    samples = []
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("CREATE TABLE unit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, data text NOT NULL)")
        for _ in range(_COMMITS):
            began = time.perf_counter()
            conn.execute("INSERT INTO unit (data) VALUES (%s)", ("x" * 500,))
            samples.append(time.perf_counter() - began)
        conn.execute("DROP TABLE unit")
    return 1 / statistics.median(samples)
