"""import-linter's contracts hold, and each of them would notice if it did not."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    "rooms": "Rooms import only what stands left of them",
    "fronts": "Only its registration names the front of a domain",
    "registered": "Nothing imports a domain: its registration names what it brings",
    "tables": "Nothing is decided from the tables of domains",
    "adapters": "Only wiring imports adapters",
    "domains": "Domains are strangers to each other",
    "sdks": "No web, database, broker or model SDK in the inner rooms",
}
INNER = ["contracts", "ports", "guard", "selection", "breeding", "kernel", "bench", "domains"]

# What is planted, and the contracts that must break because of it.
PLANTS = {
    "kernel/x_adapters.py": ("import mendel.adapters.memory.event_log", {"adapters"}),
    "api/x_adapters.py": ("from mendel.adapters.file import event_log", {"adapters"}),
    "cli/x_adapters.py": ("import mendel.adapters.postgres", {"adapters"}),
    "conformance/x_adapters.py": ("import mendel.adapters.memory.blobs", {"adapters", "rooms"}),
    "adapters/memory/x_kernel.py": ("import mendel.kernel", {"rooms"}),
    "contracts/x_kernel.py": ("import mendel.kernel", {"rooms"}),
    "contracts/x_ports.py": ("from mendel.ports.records import Record", {"rooms"}),
    "ports/x_guard.py": ("import mendel.guard", {"rooms"}),
    "guard/x_selection.py": ("import mendel.selection", {"rooms"}),
    "kernel/x_domains.py": ("import mendel.domains.world", {"rooms"}),
    "bench/x_domains.py": ("import mendel.domains.programs.models", {"rooms"}),
    "kernel/x_bench.py": ("import mendel.bench", {"rooms"}),
    "projections/x_api.py": ("def lazily():\n    import mendel.api\n", {"rooms"}),
    "domains/programs/x_tools.py": ("import mendel.domains.tools", {"domains"}),
    "domains/world/x_ideas.py": ("import mendel.domains.ideas", {"domains"}),
    "domains/ideas/x_projections.py": ("import mendel.projections", {"rooms"}),
    **{f"{room}/x_database.py": ("import psycopg", {"sdks"}) for room in INNER},
    "kernel/x_tables.py": ("from mendel.ports.domain_tables import TableStore", {"tables"}),
    "wiring/x_front.py": ("import mendel.domains.programs.front.launch", {"fronts"}),
    "cli/x_front.py": ("from mendel.domains.texts.front import launch", {"fronts"}),
    "domains/programs/x_own_front.py": ("import mendel.domains.programs.front.launch", {"fronts"}),
    "domains/programs/front/x_cli.py": ("import mendel.cli.live", {"rooms"}),
    "api/x_domains.py": ("import mendel.domains.programs.models", {"registered"}),
    "console/x_domains.py": ("import mendel.domains.texts.models", {"registered"}),
    "domains/programs/front/x_adapters.py": ("import mendel.adapters.memory.blobs", {"adapters"}),
    "domains/programs/front/x_texts.py": ("import mendel.domains.texts.models", {"domains"}),
    "domains/programs/front/x_front.py": ("import mendel.domains.texts.front.launch", {"domains"}),
    "kernel/x_sdk.py": ("import openai", {"sdks"}),
    "ports/x_broker.py": ("import redis.asyncio", {"sdks"}),
    "stray_room/__init__.py": ('"""A room that nobody planned."""\n', {"rooms"}),
    "stray_module.py": ("import mendel.kernel", {"rooms"}),
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


def broken(output: str) -> dict[str, str]:
    """The contracts that are broken, each with what is told of it at the end."""
    for name in CONTRACTS.values():
        assert f"{name} KEPT" in output or f"{name} BROKEN" in output, output
    told = output.partition("Broken contracts")[2]
    headings = {key: f"\n{name}\n---" for key, name in CONTRACTS.items()}
    return {
        key: min((told.partition(heading)[2].partition(other)[0] for other in headings.values()), key=len)
        for key, heading in headings.items()
        if heading in told
    }


def name_of(place: str) -> str:
    """How import-linter names a module; one that stands in no layer, without the package."""
    name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"mendel.{name}" if "." in name else name


def planted(house: Path, plants: Mapping[str, str]) -> tuple[int, str]:
    """The verdict on the house with these files in it, which are taken out again."""
    for place, text in plants.items():
        path = house / "src" / "mendel" / place
        assert not path.exists()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    try:
        return lint(house)
    finally:
        for place in plants:
            (house / "src" / "mendel" / place).unlink()
        shutil.rmtree(house / "src" / "mendel" / "stray_room", ignore_errors=True)


def test_the_contracts_hold(house):
    code, output = lint(house)
    assert broken(output) == {}, output
    assert code == 0


def test_every_planted_violation_breaks_its_contracts(house):
    code, output = planted(house, {place: text for place, (text, _) in PLANTS.items()})
    assert code == 1
    told = broken(output)
    unseen = [
        (place, contract)
        for place, (_, contracts) in PLANTS.items()
        for contract in sorted(contracts)
        if name_of(place) not in told.get(contract, "")
    ]
    assert unseen == [], output


def test_the_outer_rooms_may_use_libraries_and_wiring_adapters(house):
    outer = {
        f"{room}/x.py": "import httpx\n" for room in ("adapters", "api", "cli", "projections", "domains/programs/front")
    }
    code, output = planted(house, {**outer, "wiring/x.py": "import mendel.adapters.memory.blobs\n"})
    assert code == 0, output
