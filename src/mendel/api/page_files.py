"""The page: files built into the package; all its addresses return the same document."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from mendel.api.problems import methods_at

BUILT: Final = Path(__file__).parent / "page"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_MISSING: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Mendel</title>
<h1>The page is not built</h1>
<p>The API is available under <code>/api</code>.
<p>In a checkout, <code>make page</code> builds the page; an installed package contains it.
"""


def install(app: FastAPI, folder: Path | None, roots: Iterable[str] = ()) -> None:
    """Serve the page from ``folder``, or without one, a document on how to build it; ``roots`` belong to domains."""
    files = _files(folder)
    others = ("api/", "assets/", "..", *(f"{root[1:]}/" for root in roots))  # addresses that are not pages

    @app.get("/{path:path}", include_in_schema=False)
    async def document(request: Request, path: str) -> Response:
        found = files.get(path)
        if found is not None:
            # Names of assets contain a hash of their content, so they can be cached for ever.
            return _sent(request, found, _FOR_EVER if path.startswith("assets/") else _ASK_AGAIN)
        if f"{path}/".startswith(others) or ("." in path and "/" not in path):  # a report's name has dots
            # This route matches every GET, also at addresses that only have other methods; hence 405.
            raise HTTPException(405 if methods_at(request) else 404, f"no GET at /{path}")
        index = files.get("index.html")
        return HTMLResponse(_MISSING, 503) if index is None else _sent(request, index, _ASK_AGAIN)


def _files(folder: Path | None) -> dict[str, Path]:
    """Return the files to serve by address; an allow-list, so that no path can reach other files."""
    if folder is None:
        return {}
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def _sent(request: Request, path: Path, caching: str) -> Response:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packed else {})}
    return Response(_content(path, path.stat().st_mtime_ns, packed=packed), 200, headers, kind)


@cache
def _content(path: Path, _changed: int, *, packed: bool) -> bytes:
    """Return a file's content, compressed once per version of the file."""
    data = path.read_bytes()
    return gzip.compress(data, 9) if packed else data
