"""Handlers: what a worker does with a task. Found by entry point under the name of their step.

A handler is a function that takes a :class:`~mendel.contracts.work.Work` and returns an
:class:`~mendel.contracts.work.Answer`, or raises; :class:`~mendel.contracts.errors.HandlerFailed` says why with a code
of its own. A coroutine function runs in the conductor's process, where it must not block;
a plain function runs in a worker process, where it can be stopped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from mendel.contracts.errors import BrokenPlugin
from mendel.contracts.work import Answer, Work
from mendel.ports.registry import resolve

GROUP = "mendel.task_handlers"

Handler = Callable[[Work], Answer] | Callable[[Work], Awaitable[Answer]]


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
