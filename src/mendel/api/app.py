"""The application: routes under `/api`, the page beside them."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from mendel import __version__
from mendel.api import page, problems
from mendel.api.routes import runs, streams
from mendel.api.services import Services

DESCRIPTION = """\
Runs, their events and what is made of them. Reading changes nothing. Every error is `application/problem+json` with a
stable `code`. What is about one run carries an `ETag` by its last event.
"""


def create_app(services: Services) -> FastAPI:
    """The observatory over ``services``; whoever opened these closes them."""
    app = FastAPI(
        title="Mendel",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    problems.install(app)
    api = APIRouter(prefix="/api")
    for router in (runs.router, runs.reading, streams.router):
        api.include_router(router)
    for domain in services.domains:
        if domain.router is not None:
            api.include_router(domain.router, prefix=f"/domains/{domain.name}", tags=[domain.name])
    app.include_router(api)
    page.install(app, services.page)
    return app
