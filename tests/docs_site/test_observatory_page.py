"""The page on the observatory names the routes that there are."""

import re

from tests.docs_site.pages import ROOT

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.app import create_app
from mendel.api.services import Services
from mendel.api.source import RunSource

PAGE = ROOT / "docs" / "observatory.md"
PATTERNS = ROOT / "web" / "src" / "shell" / "routes.tsx"


def documented():
    """The routes in the table of the page."""
    table = PAGE.read_text().partition("\n## The API\n")[2].partition("\n\n    curl")[0]
    return set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", table, re.MULTILINE))


def served():
    """The routes of the API; those of an opened file are the run's own."""
    paths = create_app(Services(source=RunSource(MemoryEventLog(), MemoryReadModels()))).openapi()["paths"]
    found = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    return {route for route in found if "/api/files/{file_id}/" not in route and "/api/domains/" not in route}


def unnamed(routes):
    """Routes without the names of their parameters."""
    return {re.sub(r"\{\w+\}", "…", route) for route in routes}


def test_every_route_is_documented_and_every_documented_one_is_there():
    assert unnamed(documented()) == unnamed(served())


def test_every_address_of_the_page_is_documented_and_every_documented_one_is_there():
    table = PAGE.read_text().partition("\n## The pages\n")[2].partition("\n### ")[0]
    told = re.findall(r"`(/[^`?]*)", table)
    known = re.findall(r'pattern: "([^"]+)"', PATTERNS.read_text())
    assert {re.sub(r"[A-Z]+", "…", each) for each in told} == {re.sub(r":\w+", "…", each) for each in known}
