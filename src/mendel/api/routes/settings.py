"""`/settings`: the settings of this process, with secrets masked."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from mendel.api.answers import answered
from mendel.api.schemas_about import SettingItem, SettingsPage
from mendel.api.services import Served

router = APIRouter(tags=["installation"])


@router.get("/settings", name="get_settings", response_model=SettingsPage)
async def settings(request: Request, served: Served) -> Response:
    """List every setting with its value and origin, like `mendel config view`."""
    rows = [
        SettingItem(key=each.key, value=each.value, source=each.origin, description=each.description)
        for each in served.about.settings()
    ]
    return answered(request, SettingsPage(settings=rows))
