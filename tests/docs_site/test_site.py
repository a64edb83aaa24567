"""The documentation as a site: built strictly, whole, and without anything from elsewhere."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from threading import Thread
from urllib.parse import urlsplit

import pytest
import yaml
from tests.docs_site.pages import ROOT
from tests.support import skip_or_fail

DOCS = ROOT / "docs"
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
"""What a browser fetches by itself, and where its address stands; `link` is looked at by what it is for."""
FETCHING_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "modulepreload",
    "manifest",
}
GENERATED = {
    "readme.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "testing.md": "tests/README.md",
}
pytestmark = pytest.mark.xdist_group("docs_site")  # it is built once


class Loose(yaml.SafeLoader):
    """Reads mkdocs.yml without making the objects that it names."""


Loose.add_multi_constructor("tag:yaml.org,2002:python/", lambda _loader, _suffix, _node: None)


class Fetches(HTMLParser):
    """Addresses that a browser asks by itself when it shows a page, and pieces of scripts that stand in it."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in FETCHED and given.get(FETCHED[tag]):
            self.addresses.append(given[FETCHED[tag]])
        if tag == "link" and FETCHING_LINKS & set((given.get("rel") or "").split()):
            self.addresses.append(given.get("href"))


def nav_pages(entries):
    """The pages of a navigation, in its order."""
    for entry in entries:
        (value,) = entry.values() if isinstance(entry, dict) else (entry,)
        if isinstance(value, str):
            yield value
        else:
            yield from nav_pages(value)


def settings():
    return yaml.load((ROOT / "mkdocs.yml").read_text(), Loose)


def build(target, config="mkdocs.yml"):
    """Build the site as `make docs` does."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(config), "--site-dir", target]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    if find_spec("mkdocs") is None or find_spec("material") is None:
        skip_or_fail("the site needs mkdocs-material: make setup")
    target = tmp_path_factory.mktemp("built") / "site"
    done = build(target)
    assert done.returncode == 0, done.stderr
    return target


def test_every_page_of_the_navigation_is_there(site):
    pages = list(nav_pages(settings()["nav"]))
    assert len(pages) == len(set(pages))
    assert [page for page in pages if not (site / page).with_suffix(".html").is_file()] == []


def test_no_page_is_left_out_of_the_navigation():
    written = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert written | set(GENERATED) == set(nav_pages(settings()["nav"]))


@pytest.mark.parametrize("page", GENERATED)
def test_pages_from_outside_have_the_text_of_their_file(site, page):
    title = (ROOT / GENERATED[page]).read_text().splitlines()[0].removeprefix("# ")
    assert f'<h1 id="{title.lower()}">{title}<' in (site / page).with_suffix(".html").read_text()


def test_a_linked_file_of_the_repository_is_shown(site):
    assert 'href="source/examples/domain.py.html"' in (site / "domains.html").read_text()
    assert "come closer to a target" in (site / "source" / "examples" / "domain.py.html").read_text()


def test_nothing_is_fetched_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    fetched = {(page.name, address) for page in pages for address in fetches(page.read_text())}
    assert [each for each in fetched if urlsplit(each[1]).netloc] == []
    sheets = "".join(sheet.read_text() for sheet in site.rglob("*.css"))
    assert "url(http" not in sheets
    assert "@import" not in sheets


def fetches(html):
    parser = Fetches()
    parser.feed(html)
    return parser.addresses


def test_what_a_page_would_fetch_is_found():
    html = (
        '<script src="https://a.example/x.js"></script><link rel="preconnect" href="//b.example"><a href="https://c">'
    )
    assert fetches(html) == ["https://a.example/x.js", "//b.example"]


def test_it_can_be_searched(site):
    index = json.loads((site / "search" / "search_index.json").read_text())
    places = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"guard.html", "observatory.html", "plugins/selectors.html", "changelog.html"} <= places


@pytest.mark.slow
@pytest.mark.parametrize("link", ["nowhere.md", "guard.md#no-such-heading", "../examples/nowhere.py", "/guard.html"])
def test_a_link_that_leads_nowhere_fails_the_build(site, tmp_path, link):
    shutil.copytree(DOCS, tmp_path / "docs")
    with (tmp_path / "docs" / "index.md").open("a") as page:
        page.write(f"\n[lost]({link})\n")
    config = (ROOT / "mkdocs.yml").read_text().replace("docs/hooks", f"{DOCS}/hooks")
    (tmp_path / "mkdocs.yml").write_text(config)
    done = build(tmp_path / "site", tmp_path / "mkdocs.yml")
    assert done.returncode != 0
    assert link.removeprefix("..") in done.stderr


@pytest.fixture(scope="module")
def served(site):
    """The address of a plain file server over the site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.mark.slow
def test_a_browser_reads_and_searches_it_without_asking_anybody_else(served):
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        skip_or_fail("needs Playwright and Chromium: make setup; apt install chromium")
    script = ROOT / "tests" / "docs_site" / "reading.py"
    done = subprocess.run([sys.executable, script, chromium, served], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["complaints"] == []
    assert {urlsplit(address).netloc for address in seen["asked"]} == {urlsplit(served).netloc}
    assert any("guard" in address for address in seen["found"])
