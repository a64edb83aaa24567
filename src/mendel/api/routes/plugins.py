"""`/plugins`: the installed plug-ins."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request, Response

from mendel.api.answers import answered
from mendel.api.schemas_about import PluginGroup, PluginItem, Plugins
from mendel.ports.registry import GROUPS, plugins

router = APIRouter(tags=["installation"])


@router.get("/plugins", response_model=Plugins)
async def list_plugins(request: Request) -> Response:
    """List the installed plug-ins by extension point, without loading them."""
    found = [PluginItem(**asdict(each)) for each in plugins()]
    groups = [
        PluginGroup(name=name, means=means, plugins=[each for each in found if each.group == name])
        for name, means in GROUPS.items()
    ]
    return answered(request, Plugins(groups=groups, total=len(found)))
