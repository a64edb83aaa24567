"""`/domains`: what can be bred here, and the form of each."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Response
from pydantic import JsonValue, TypeAdapter

from mendel.api.domains import generic
from mendel.api.launch_schemas import DomainView, FormView
from mendel.api.registration import DomainApi, LaunchForm, Workshop
from mendel.api.services import Launching, Served

router = APIRouter(tags=["domains"])
_ALL: Final = TypeAdapter(list[DomainView])


@router.get("/domains", name="list_domains", response_model=list[DomainView])
async def domains(served: Served, launcher: Launching) -> Response:
    """Every domain that is installed; `inputs` of a run fit the schema of its form, and the examples do."""
    views = await asyncio.to_thread(_views, tuple(served.domains), launcher.workshop)
    return Response(_ALL.dump_json(views), media_type="application/json", headers={"Cache-Control": "no-cache"})


def _views(own: tuple[DomainApi, ...], workshop: Workshop) -> list[DomainView]:
    others = generic.others(frozenset(domain.name for domain in own))
    return [*(_view(domain, workshop) for domain in own), *map(_generic, others)]


def _view(domain: DomainApi, workshop: Workshop) -> DomainView:
    if domain.form is None:
        return _generic(domain)
    refusal = domain.form.refusal(workshop)
    return _of(domain, refusal, _form(domain.form))


def _generic(domain: DomainApi) -> DomainView:
    refusal = generic.refusal_of(domain.name)
    return _of(domain, refusal, generic.form_of(domain.name) if refusal is None else None)


def _of(domain: DomainApi, refusal: str | None, form: FormView | None) -> DomainView:
    return DomainView(
        name=domain.name, title=domain.title, what=domain.what, launchable=refusal is None, refusal=refusal, form=form
    )


def _form(form: LaunchForm) -> FormView:
    """What must be given stands first."""
    schema: dict[str, JsonValue] = form.inputs.model_json_schema()
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        first = {str(name): properties[str(name)] for name in required}
        schema["properties"] = {**first, **properties}
    return FormView(schema=schema, part="inputs", examples=list(form.examples))
