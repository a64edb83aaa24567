"""A page of the observatory as a person sees it, with an ear on everything that must not happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect
from tests.browser.stage import REPOSITORY

AXE = REPOSITORY / "web/node_modules/axe-core/axe.min.js"
THEMES = ("dark", "light", "contrast")
WIDE = (1280, 800)
PHONE = (390, 844)
PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)

_NOTE_VIOLATIONS = """
    addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`);
    });
"""
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@dataclass
class Complaints:
    """What a page did that it must not do: errors, violations of its policy, requests that leave the machine."""

    home: str
    found: list[str] = field(default_factory=list)
    forgiven: tuple[str, ...] = ()

    def hear(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"uncaught: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self.found.append(f"{message.type}: {message.text} ({where})")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.home, "blob:", "data:")):
            self.found.append(f"left the machine: {request.url}")

    @property
    def unforgiven(self) -> list[str]:
        return [each for each in self.found if not any(text in each for text in self.forgiven)]


@contextmanager
def looked_at(
    browser: Browser,
    home: str,
    *,
    size: tuple[int, int] = WIDE,
    theme: str | None = None,
    forgiven: Sequence[str] = (),
    for_axe: bool = False,
) -> Iterator[Page]:
    """A page in a context of its own; at the end nothing must have been complained about."""
    width, height = size
    context = browser.new_context(
        base_url=home, viewport={"width": width, "height": height}, bypass_csp=for_axe, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(_NOTE_VIOLATIONS)
    if theme is not None:
        context.add_init_script(f"localStorage.setItem('mendel.theme', '{theme}')")
    page = context.new_page()
    complaints = Complaints(home, forgiven=tuple(forgiven))
    complaints.hear(page)
    try:
        yield page
        assert complaints.unforgiven == []
    finally:
        context.close()


def value(page: Page, name: str, panel: str | None = None) -> str:
    """The plain text of a value that stands on the page."""
    place = f"[data-value='{name}']"
    found = page.locator(place if panel is None else f"[data-panel='{panel}'] {place}").first
    expect(found).to_be_attached()
    raw = found.get_attribute("data-raw")
    return (raw if raw is not None else found.inner_text()).strip()


def number(page: Page, name: str, panel: str | None = None) -> float:
    """A number that stands on the page."""
    return float(value(page, name, panel).replace(",", ""))


def settled(page: Page) -> Page:
    """The page once nothing on it is loading any more."""
    expect(page.locator("main h1").first).to_be_visible()
    expect(page.locator("[data-state='loading']")).to_have_count(0)
    return page


def axe_findings(page: Page) -> list[str]:
    """What axe objects to, one line each."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.add_script_tag(path=str(AXE))
    script = "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})"
    violations = page.evaluate(script, list(RULES))["violations"]
    return [
        f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes'][:3]]}: "
        f"{each['nodes'][0].get('failureSummary', '')}"
        for each in violations
    ]


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def focused(page: Page) -> str:
    """What has the focus, as far as it can be told."""
    script = """() => {
        const it = document.activeElement;
        return it ? (it.getAttribute("aria-label") || it.innerText || it.id || it.tagName).trim() : "";
    }"""
    return str(page.evaluate(script))


def picture(page: Page, path: Path) -> None:
    """What is in the window."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(path), animations="disabled", caret="hide")
