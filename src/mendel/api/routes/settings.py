"""`/settings`: what this process was set to, with secrets masked."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from mendel.api.answers import answered
from mendel.api.schemas_about import SettingItem, SettingsPage
from mendel.api.services import Served

router = APIRouter(tags=["installation"])


@router.get("/settings", name="get_settings", response_model=SettingsPage)
async def settings(request: Request, served: Served) -> Response:
    """Every setting, its value and where it comes from: what `mendel config view` prints."""
    rows = [
        SettingItem(key=each.key, value=each.value, source=each.origin, description=each.description)
        for each in served.about.settings()
    ]
    return answered(request, SettingsPage(settings=rows))
