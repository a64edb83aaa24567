"""The plug-in package of these tests, really installed, on the path of this process and its children."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent / "plugin_package"


def install(target: Path) -> Path:
    """Put the package, as pip installs it, into ``target``."""
    shutil.copytree(_installed(), target, dirs_exist_ok=True)
    return target


@cache
def _installed() -> Path:
    """Where pip has installed it for this process: that takes seconds, and many modules ask for it."""
    target = Path(tempfile.mkdtemp(prefix="mendel-plugins-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(target), str(PACKAGE)),
        ],
        check=True,
        capture_output=True,
    )
    return target


def path_without_plugins() -> list[str]:
    """The path of this process without the package: another module may have it installed for the whole session."""
    return [place for place in sys.path if not any(Path(place).glob("mendel_example_plugins-*.dist-info"))]


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
