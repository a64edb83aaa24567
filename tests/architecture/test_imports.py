"""import-linter's contracts hold, and each of them would notice if it did not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    "rooms": "Rooms import only what stands left of them",
    "fronts": "Only its registration names the front of a domain",
    "tables": "Nothing is decided from the tables of domains",
    "adapters": "Only wiring imports adapters",
    "domains": "Domains are strangers to each other",
    "sdks": "No web, database, broker or model SDK in the inner rooms",
}
INNER = ["contracts", "ports", "guard", "selection", "breeding", "kernel", "domains"]

# What is planted, and the contracts that must break because of it.
PLANTS = {
    "kernel-adapters": ("kernel/x.py", "import mendel.adapters.memory.event_log", {"adapters"}),
    "api-adapters": ("api/x.py", "from mendel.adapters.file import event_log", {"adapters"}),
    "cli-adapters": ("cli/x.py", "import mendel.adapters.postgres", {"adapters"}),
    "conformance-adapters": ("conformance/x.py", "import mendel.adapters.memory.blobs", {"adapters", "rooms"}),
    "adapters-kernel": ("adapters/memory/x.py", "import mendel.kernel", {"rooms"}),
    "contracts-kernel": ("contracts/x.py", "import mendel.kernel", {"rooms"}),
    "contracts-ports": ("contracts/x.py", "from mendel.ports.records import Record", {"rooms"}),
    "ports-guard": ("ports/x.py", "import mendel.guard", {"rooms"}),
    "guard-selection": ("guard/x.py", "import mendel.selection", {"rooms"}),
    "kernel-domains": ("kernel/x.py", "import mendel.domains.world", {"rooms"}),
    "projections-api": ("projections/x.py", "def lazily():\n    import mendel.api\n", {"rooms"}),
    "programs-tools": ("domains/programs/x.py", "import mendel.domains.tools", {"domains"}),
    "world-ideas": ("domains/world/x.py", "import mendel.domains.ideas", {"domains"}),
    "tools-through-api": ("domains/ideas/x.py", "import mendel.projections", {"rooms"}),
    **{f"{room}-database": (f"{room}/x.py", "import psycopg", {"sdks"}) for room in INNER},
    "kernel-tables": ("kernel/x.py", "from mendel.ports.domain_tables import TableStore", {"tables"}),
    "wiring-front": ("wiring/x.py", "import mendel.domains.programs.front.launch", {"fronts"}),
    "cli-front": ("cli/x.py", "from mendel.domains.texts.front import launch", {"fronts"}),
    "inner-front": ("domains/programs/x.py", "import mendel.domains.programs.front.launch", {"fronts"}),
    "front-cli": ("domains/programs/front/x.py", "import mendel.cli.context", {"rooms"}),
    "front-adapters": ("domains/programs/front/x.py", "import mendel.adapters.memory.blobs", {"adapters"}),
    "front-texts": ("domains/programs/front/x.py", "import mendel.domains.texts.models", {"domains"}),
    "front-front": ("domains/programs/front/x.py", "import mendel.domains.texts.front.launch", {"domains"}),
    "kernel-sdk": ("kernel/x.py", "import openai", {"sdks"}),
    "ports-broker": ("ports/x.py", "import redis.asyncio", {"sdks"}),
    "stray-room": ("stray/__init__.py", '"""A room that nobody planned."""\n', {"rooms"}),
    "stray-module": ("stray.py", "import mendel.kernel", {"rooms"}),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the library with its configuration, to plant things in."""
    folder = tmp_path_factory.mktemp("house")
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "src" / "mendel", folder / "src" / "mendel", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(folder: Path) -> tuple[int, str]:
    """import-linter's verdict on the library in ``folder``."""
    environ = os.environ | {"PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", folder / "pyproject.toml"]
    done = subprocess.run(command, cwd=folder / "src", env=environ, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def broken(output: str) -> set[str]:
    for name in CONTRACTS.values():
        assert f"{name} KEPT" in output or f"{name} BROKEN" in output, output
    return {key for key, name in CONTRACTS.items() if f"{name} BROKEN" in output}


def test_the_contracts_hold(house):
    code, output = lint(house)
    assert broken(output) == set(), output
    assert code == 0


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_violation_breaks_its_contract(house, plant):
    place, text, contracts = PLANTS[plant]
    planted = house / "src" / "mendel" / place
    assert not planted.exists()
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(text)
    try:
        code, output = lint(house)
        assert code == 1, output
        assert contracts <= broken(output), output
        assert place.split("/")[-1].removesuffix(".py") in output or "stray" in output
    finally:
        planted.unlink()
        if place.startswith("stray/"):
            shutil.rmtree(planted.parent)


@pytest.mark.parametrize("room", ["adapters", "api", "cli", "projections", "domains/programs/front"])
def test_the_outer_rooms_may_use_libraries(house, room):
    planted = house / "src" / "mendel" / room / "x.py"
    planted.write_text("import httpx\n")
    try:
        code, output = lint(house)
        assert code == 0, output
    finally:
        planted.unlink()


def test_wiring_may_import_adapters(house):
    planted = house / "src" / "mendel" / "wiring" / "stores.py"
    before = planted.read_text()
    planted.write_text(before + "\nimport mendel.adapters.memory.blobs\n")
    try:
        assert lint(house)[0] == 0
    finally:
        planted.write_text(before)
