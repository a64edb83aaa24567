"""The FastAPI application: routes under `/api`, and the page."""

from __future__ import annotations

from fastapi import APIRouter, Depends, FastAPI

from mendel import __version__
from mendel.api import description, page_files, problems, security, sockets
from mendel.api.correlation import Correlation
from mendel.api.description.tags import tags
from mendel.api.domain_paths import refuse_collisions
from mendel.api.head_requests import HeadRequests
from mendel.api.metering import Metering, templates
from mendel.api.parameters import known_parameters
from mendel.api.routes import (
    candidates,
    caps,
    commands,
    doctor,
    domains,
    files,
    final,
    guard_reports,
    models,
    operational,
    plugins,
    runs,
    settings,
    streams,
    views,
)
from mendel.api.services import Services

DESCRIPTION = """\
Runs, their events and the views derived from them. Reading changes nothing. Every error is `application/problem+json`
with a stable `code`. Answers about one run have an `ETag`, which depends on the last event of the run.
"""


def create_app(services: Services) -> FastAPI:
    """Create the observatory over ``services``, which the caller opens and closes.

    Raises:
        PathsCollide: a domain serves a path of the API, the page or another domain.
    """
    refuse_collisions(services.paths.mounts, services.page)
    app = FastAPI(
        title="Mendel",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        servers=description.SERVERS,
        openapi_tags=tags(services.domains),
        generate_unique_id_function=description.operation_id,
    )
    app.state.services = services
    problems.install(app)
    api = APIRouter(dependencies=[Depends(known_parameters)])  # the order of routers is that of the document
    for router in (runs.router, runs.reading, streams.router, commands.router, caps.router, domains.router):
        api.include_router(router)
    for router in (views.reading, candidates.reading, final.reading):
        api.include_router(router)
    for router in (files.router, guard_reports.router, models.router, plugins.router, doctor.router, settings.router):
        api.include_router(router)
    for router in (runs.reading, views.reading, candidates.reading, final.reading):
        api.include_router(router, prefix="/files/{file_id}", dependencies=[Depends(files.named)])
    app.include_router(api, prefix="/api")  # with the prefix on the router, every route would exist twice
    for mount in services.paths.mounts:
        app.include_router(
            mount.router,
            prefix=mount.path,
            tags=[mount.domain],
            dependencies=[Depends(known_parameters)],
            generate_unique_id_function=description.operation_id_of(mount.domain),
        )
    app.include_router(operational.router)
    description.install(app, services.policy)
    page_files.install(app, services.page, services.paths.roots)
    app.add_api_websocket_route("/{path:path}", sockets.unknown)
    app.add_middleware(HeadRequests)  # the innermost: each further middleware wraps those before it
    app.add_middleware(problems.Failures)
    security.install(app, services.policy, services.paths)
    _observe(app, services)
    return app


def _observe(app: FastAPI, services: Services) -> None:
    """Count and log every request; this middleware must be the outermost, so it is added last."""
    routes = templates(app)
    metering = Metering(services.metrics, routes) if services.metrics is not None else None
    app.state.metering = metering
    if metering is None:
        app.add_middleware(Correlation, templates=routes)
    else:
        app.add_middleware(Correlation, observed=metering.observed, templates=routes)
