"""Handlers: what a worker does with a task. Found by entry point under the name of their step.

A handler is a function that takes a :class:`~mendel.contracts.work.Work` and returns an
:class:`~mendel.contracts.work.Answer`, or raises; :class:`~mendel.contracts.errors.HandlerFailed` says why with a code
of its own. A coroutine function runs in the conductor's process, where it must not block;
a plain function runs in a worker process, where it can be stopped. A coroutine function that takes a second
argument gets the :class:`Ports` through which it may touch the world; untrusted code it runs in ``ports.sandbox``.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from mendel.contracts.errors import BrokenPlugin
from mendel.contracts.work import Answer, Work
from mendel.ports.model_gateway import ModelGateway
from mendel.ports.registry import resolve
from mendel.ports.research import ResearchTools
from mendel.ports.retriever import Retriever
from mendel.ports.sandbox import Sandbox

if TYPE_CHECKING:
    from mendel.ports.embedder_degradation import (
        DegradingEmbedder,
    )  # brings numpy, too slow for most commands

GROUP = "mendel.task_handlers"


@dataclass(frozen=True)
class Ports:
    """What a handler in the conductor's process may use."""

    sandbox: Sandbox | None = None
    models: ModelGateway | None = None
    embedder: DegradingEmbedder | None = None
    retriever: Retriever | None = None
    tools: ResearchTools | None = None


PlainHandler = Callable[[Work], Answer]
InlineHandler = Callable[[Work], Awaitable[Answer]] | Callable[[Work, Ports], Awaitable[Answer]]
Handler = PlainHandler | InlineHandler


@lru_cache(maxsize=1_024)
def takes_ports(handler: Callable[..., object]) -> bool:
    """Whether the handler has a second argument for its ports."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return False
    return sum(parameter.kind in kinds and parameter.default is parameter.empty for parameter in parameters) > 1


def find_handler(step: str) -> Handler:
    """The handler of ``step``.

    Raises:
        UnknownPlugin: nobody has it; the message lists those that are known.
        BrokenPlugin: it cannot be loaded or is not callable.
    """
    found = resolve(GROUP, step)
    if not callable(found):
        raise BrokenPlugin(f'{GROUP} "{step}" is {type(found).__name__}, not a function')
    return cast("Handler", found)
