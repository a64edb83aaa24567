"""The page: files that were built into the package; every address of it is answered with the same document."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

BUILT: Final = Path(__file__).parent / "page"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_MISSING: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Mendel</title>
<h1>The page is not built</h1>
<p>The API is served under <code>/api</code>.
<p>In a checkout, <code>make page</code> builds the page; an installed package has it.
"""


class _Assets(StaticFiles):
    """Their names have a hash of their content: they never change."""

    def file_response(self, *arguments: object, **options: object) -> Response:
        answer = super().file_response(*arguments, **options)  # type: ignore[arg-type]
        answer.headers["Cache-Control"] = _FOR_EVER
        return answer


def install(app: FastAPI, folder: Path | None) -> None:
    """Serve the page from ``folder``; without one, a document that says how to get it."""
    index = folder / "index.html" if folder is not None else None
    if folder is not None and (folder / "assets").is_dir():
        app.mount("/assets", _Assets(directory=folder / "assets"))

    @app.get("/{path:path}", include_in_schema=False)
    async def document(path: str) -> Response:
        if path.startswith("api/") or "." in path.rpartition("/")[2]:
            raise HTTPException(404, f"there is nothing at /{path}")
        if index is None or not index.is_file():
            return HTMLResponse(_MISSING, 503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
