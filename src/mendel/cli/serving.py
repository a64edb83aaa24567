"""`mendel serve`: the observatory, an API and a page over the log."""

from __future__ import annotations

from typing import Annotated

import typer
import uvicorn

from mendel.api.app import create_app
from mendel.api.page import BUILT
from mendel.api.services import Services
from mendel.api.source import RunSource
from mendel.cli.context import Session, session_of
from mendel.wiring import open_read_models

_GRACE_S = 5


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on; another than loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8_765,
) -> None:
    """Serve the observatory: an API under `/api`, and the page that shows runs, live or replayed.

    mendel serve

    mendel serve --port 9000
    """
    session = session_of(context)
    session.run(_serve(session, host, port))


async def _serve(session: Session, host: str, port: int) -> None:
    settings = session.loaded.settings
    async with (
        session.log(create=True) as log,
        open_read_models(settings, session.announce) as models,
        RunSource(log, models) as source,
    ):
        page = BUILT if (BUILT / "index.html").is_file() else None
        app = create_app(Services(source=source, page=page))
        config = uvicorn.Config(
            app, host=host, port=port, log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE_S
        )
        session.announce(f"serving on http://{host}:{port}")
        await uvicorn.Server(config).serve()
