"""The plug-in package of these tests, really installed, on the path of this process and its children."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = Path(__file__).parent / "plugin_package"


def install(target: Path) -> Path:
    """Install the package into ``target``."""
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(target), str(PACKAGE)),
        ],
        check=True,
        capture_output=True,
    )
    return target


@contextmanager
def installed_plugins(target: Path) -> Iterator[Path]:
    """Install the package into ``target`` and make it importable, here and in processes started from here."""
    install(target)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(target), before)))
    sys.path.insert(0, str(target))
    try:
        yield target
    finally:
        sys.path.remove(str(target))
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
