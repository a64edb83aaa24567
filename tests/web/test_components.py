"""The page's own tests, and what its lock promises."""

import json

import pytest
from tests.web.page_tools import WEB, installed, locked, node

pytestmark = pytest.mark.xdist_group("web")


def test_the_types_hold():
    done = node(str(installed() / "typescript" / "bin" / "tsc"), "--noEmit")
    assert done.returncode == 0, done.stdout


def test_the_components_do_what_they_should():
    done = node(str(installed() / "vitest" / "vitest.mjs"), "run")
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-4_000:]


@pytest.mark.smoke
def test_the_lock_names_no_host():
    assert all("resolved" not in package for package in locked().values())
    assert "registry" not in (WEB / "package-lock.json").read_text()


@pytest.mark.smoke
def test_every_package_is_pinned_and_has_its_digest():
    wanted = json.loads((WEB / "package.json").read_text())
    for version in [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]:
        assert version[0].isdigit(), f"{version} is a range"
    assert all(package.get("integrity") for name, package in locked().items() if name)
