"""Domain data out of events, where it is there and fits."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from mendel.contracts.base import Contract
from mendel.contracts.payloads import DomainPayload
from mendel.domains.programs.models import DOMAIN, KINDS

Model = TypeVar("Model", bound=Contract)


def read(model: type[Model], payload: DomainPayload | None) -> Model | None:
    """The payload as ``model``; None if it is another domain's, another kind, or of a shape unknown here."""
    if payload is None or payload.domain != DOMAIN or KINDS.get(payload.kind) is not model:
        return None
    try:
        return model.model_validate(payload.data)
    except ValidationError:
        return None
