"""`/domains`: the installed domains, and their launch forms."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Response
from pydantic import JsonValue, TypeAdapter

from mendel.api.domains import generic
from mendel.api.launch_schemas import DomainView, FormView
from mendel.api.registration import LaunchForm, ServedDomain, Workshop
from mendel.api.services import Launching, Served
from mendel.contracts.errors import MendelError
from mendel.ports.registration import blaming

router = APIRouter(tags=["domains"])
_ALL: Final = TypeAdapter(list[DomainView])


@router.get("/domains", name="list_domains", response_model=list[DomainView])
async def domains(served: Served, launcher: Launching) -> Response:
    """List the installed domains; `inputs` of a run must fit the schema of its domain's form, as the examples do."""
    views = await asyncio.to_thread(_views, tuple(served.domains), launcher.workshop)
    return Response(_ALL.dump_json(views), media_type="application/json", headers={"Cache-Control": "no-cache"})


def _views(domains: tuple[ServedDomain, ...], workshop: Workshop) -> list[DomainView]:
    return [_view(domain, workshop) for domain in domains]


def _view(domain: ServedDomain, workshop: Workshop) -> DomainView:
    """Describe a domain; one that cannot be loaded is listed with the reason."""
    try:
        own = domain.form
        with blaming(domain.name, "the launch form"):
            form = _form(own) if own is not None else generic.form_of(domain.name)
            refusal = own.refusal(workshop) if own is not None else None
    except MendelError as error:
        form, refusal = None, str(error)
    return DomainView(
        name=domain.name,
        title=domain.title,
        what=domain.summary,
        launchable=refusal is None,
        refusal=refusal,
        form=form,
        panels=list(domain.panels),
        steps=list(domain.steps),
    )


def _form(form: LaunchForm) -> FormView:
    """Describe a form, with required fields first."""
    schema: dict[str, JsonValue] = form.inputs.model_json_schema()
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        first = {str(name): properties[str(name)] for name in required}
        schema["properties"] = {**first, **properties}
    return FormView(schema=schema, part="inputs", examples=list(form.examples))
