"""Finds the handler of a step: dotted references first, then a lookup function. Results are cached."""

from __future__ import annotations

import asyncio
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from mendel.contracts.errors import BrokenPlugin, UnknownPlugin
from mendel.contracts.payloads import described
from mendel.ports.handlers import Handler, find_handler


class HandlerDirectory:
    """Handlers by step. ``references`` maps steps to ``module:attribute`` and has priority over ``find``."""

    def __init__(self, references: Mapping[str, str], find: Callable[[str], Handler] = find_handler) -> None:
        self.references = dict(references)
        self._find = find
        self._found: dict[str, Handler] = {}
        self._searches: dict[str, asyncio.Task[Handler]] = {}

    def find(self, step: str) -> Handler:
        """Return the handler of ``step``. Failures are not cached: a plug-in may be installed later.

        Raises:
            UnknownPlugin: no handler has that step; the message lists the known ones.
            BrokenPlugin: the handler cannot be loaded.
        """
        if step not in self._found:
            self._found[step] = self._looked_up(step)
        return self._found[step]

    async def find_soon(self, step: str) -> Handler:
        """Like :meth:`find`, without blocking the event loop while modules are imported.

        Concurrent callers for the same step share one search, and continue in the order of their calls.
        """
        if (found := self._found.get(step)) is not None:
            return found
        if step not in self._searches:
            search = self._searches[step] = asyncio.create_task(asyncio.to_thread(self.find, step))
            search.add_done_callback(partial(self._searched, step))
        return await asyncio.shield(self._searches[step])

    def _searched(self, step: str, search: asyncio.Task[Handler]) -> None:
        del self._searches[step]
        if not search.cancelled():
            search.exception()  # marks the exception as retrieved

    def _looked_up(self, step: str) -> Handler:
        if step in self.references:
            return _referred_to(step, self.references[step])
        try:
            return self._find(step)
        except UnknownPlugin as error:
            handed = ", ".join(sorted(self.references))
            raise UnknownPlugin(f"{error}; by reference: {handed}" if handed else str(error)) from error


def runs_inline(handler: Handler) -> bool:
    """Whether ``handler`` is a coroutine function, or an object that is called as one."""
    call = getattr(handler, "__call__", None)  # noqa: B004 - it is callable; the question is whether as a coroutine
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(call)


def _referred_to(step: str, reference: str) -> Handler:
    try:
        found = pkgutil.resolve_name(reference)
    # Broad on purpose: importing third-party code may raise anything, even SystemExit.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f'"{step}" cannot be loaded from {reference}: {described(error)}') from error
    if not callable(found):
        raise BrokenPlugin(f'"{step}" is {type(found).__name__} at {reference}, not a function')
    return cast("Handler", found)
