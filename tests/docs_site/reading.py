"""A browser that opens pages of the site and searches it; in a process of its own, since it has its own event loop."""

import json
import sys

from playwright.sync_api import sync_playwright

PAGES = (
    "index.html",
    "observatory.html",
    "plugins/domains.html",
    "ports/embedder.html",
    "source/examples/domain.py.html",
)


def main(chromium: str, served: str) -> None:
    """Print what was asked for, what was complained about, and what a search found."""
    asked: list[str] = []
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for name in PAGES:
            page.goto(f"{served}/{name}", wait_until="networkidle")
        box = page.get_by_role("textbox", name="Search")
        box.click()
        box.press_sequentially("statistical gate")
        results = page.locator(".md-search-result__link")
        results.first.wait_for()
        found = [link.get_attribute("href") for link in results.all()]
        browser.close()
    sys.stdout.write(json.dumps({"asked": asked, "complaints": complaints, "found": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
