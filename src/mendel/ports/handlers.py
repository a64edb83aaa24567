"""Handlers: the functions with which a worker performs tasks. Found by entry point under the name of their step.

A handler takes a :class:`~mendel.contracts.work.Work` and returns an :class:`~mendel.contracts.work.Answer`, or raises;
:class:`~mendel.contracts.errors.HandlerFailed` carries a code of its own. A coroutine function runs in the conductor's
process and must not block it; a plain function runs in a worker process, where it can be stopped. A coroutine function
with a second argument receives :class:`Ports`, its only access to the outside, limited to the ports that its step
names. It runs untrusted code in ``ports.sandbox``.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from mendel.contracts.errors import BrokenPlugin, PortNotNamed, PortNotOpen
from mendel.contracts.work import Answer, Work
from mendel.ports.children import ChildOperations
from mendel.ports.closing import Closing
from mendel.ports.model_gateway import ModelGateway
from mendel.ports.registry import resolve
from mendel.ports.research import ResearchTools
from mendel.ports.retriever import Retriever
from mendel.ports.sandbox import Sandbox

if TYPE_CHECKING:
    from mendel.ports.embedder_degradation import (
        DegradingEmbedder,
    )  # imports numpy, which is too slow for most commands

T = TypeVar("T")

GROUP = "mendel.task_handlers"

OPENED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sandbox": "sandbox.backend",
        "models": "llm.profile and llm.routes",
        "tools": "research.tools",
    }
)
"""The setting that opens a port, by the port's name."""
KNOWN_PORTS: Final = tuple(sorted((*OPENED_BY, "embedder", "retriever")))
"""The ports that Mendel opens; embedder and retriever are open in every run."""


def how_to_open(name: str) -> str:
    """Return advice on how to open a port."""
    setting = OPENED_BY.get(name)
    if setting is not None:
        return f"{setting} in mendel.toml opens it"
    near = difflib.get_close_matches(name, KNOWN_PORTS, n=1)
    advice = f"; did you mean {near[0]}?" if near else ""
    return f"no setting opens a port of that name; known are {', '.join(KNOWN_PORTS)}{advice}"


class Later:
    """A port that is opened on first use, since most runs never use it."""

    def __init__(self, opener: Callable[[], Closing]) -> None:
        self._opener = opener
        self._port: Closing | None = None

    def port(self) -> Closing:
        """Return the port, the same object for all callers."""
        if self._port is None:
            self._port = self._opener()
        return self._port

    async def aclose(self) -> None:
        """Close the port, if it was opened."""
        if self._port is not None:
            await self._port.aclose()


class Ports:
    """The ports that are open where a handler runs, by name. Further names are possible.

    The ports that Mendel opens have properties; :meth:`get` returns any other. Access to a missing port raises an error
    with the reason: the step does not name it, or it is not open here.
    """

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        models: ModelGateway | None = None,
        embedder: DegradingEmbedder | Later | None = None,
        retriever: Retriever | Later | None = None,
        tools: ResearchTools | None = None,
        **others: object,
    ) -> None:
        known = {"sandbox": sandbox, "models": models, "embedder": embedder, "retriever": retriever, "tools": tools}
        self._open = {name: port for name, port in {**known, **others}.items() if port is not None}
        self._step: str | None = None
        self._named: Collection[str] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of the open ports; for a step's ports, only those that it names."""
        return frozenset(self._open)

    def only(self, names: Collection[str], step: str) -> Self:
        """Return only the ports that ``step`` names."""
        kept = type(self)()
        kept._open = {name: port for name, port in self._open.items() if name in names}
        kept._step, kept._named = step, tuple(names)
        return kept

    def replaced(self, **ports: object) -> Self:
        """Return these ports with some of them replaced."""
        made = type(self)()
        made._open = {**self._open, **ports}
        made._step, made._named = self._step, self._named
        return made

    def has(self, name: str) -> bool:
        """Return whether the port is available, for steps that can do without it."""
        return name in self._open

    def get(self, name: str, kind: type[T]) -> T:
        """Return the port of that name.

        Raises:
            PortNotNamed: the step does not name it.
            PortNotOpen: it is not open here.
            TypeError: it has another type.
        """
        port = self._reached(name)
        if not isinstance(port, kind):
            raise TypeError(f"the port {name} is a {type(port).__name__}, not a {kind.__name__}")
        return port

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox for untrusted code."""
        return cast("Sandbox", self._reached("sandbox"))

    @property
    def models(self) -> ModelGateway:
        """Models, by role."""
        return cast("ModelGateway", self._reached("models"))

    @property
    def embedder(self) -> DegradingEmbedder:
        """Vectors of texts, with a fallback."""
        return cast("DegradingEmbedder", self._reached("embedder"))

    @property
    def retriever(self) -> Retriever:
        """Passages of background knowledge."""
        return cast("Retriever", self._reached("retriever"))

    @property
    def children(self) -> ChildOperations:
        """Operations that a handler may request."""
        return cast("ChildOperations", self._reached("children"))

    @property
    def tools(self) -> ResearchTools:
        """Tools with which a model may look up information."""
        return cast("ResearchTools", self._reached("tools"))

    def _reached(self, name: str) -> object:
        if name in self._open:
            found = self._open[name]
            return found.port() if isinstance(found, Later) else found  # opened on first use
        if self._step is not None and name not in self._named:
            how = 'Step(children=("its step",))' if name == "children" else f'Step(ports=("{name}",))'
            raise PortNotNamed(f"the step {self._step} uses the port {name}, which it does not name; {how}")
        raise PortNotOpen(f"the port {name} is not open here; {how_to_open(name)}")


PlainHandler = Callable[[Work], Answer]
InlineHandler = Callable[[Work], Awaitable[Answer]] | Callable[[Work, Ports], Awaitable[Answer]]
Handler = PlainHandler | InlineHandler


@lru_cache(maxsize=1_024)
def takes_ports(handler: Callable[..., object]) -> bool:
    """Return whether the handler has a second argument for its ports."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        # Some callables, such as builtins, have no signature.
        return False
    return sum(parameter.kind in kinds and parameter.default is parameter.empty for parameter in parameters) > 1


def find_handler(step: str) -> Handler:
    """Return the handler of ``step``.

    Raises:
        UnknownPlugin: it is not installed; the message lists the known ones.
        BrokenPlugin: it cannot be loaded or is not callable.
    """
    found = resolve(GROUP, step)
    if not callable(found):
        raise BrokenPlugin(f'{GROUP} "{step}" is {type(found).__name__}, not a function')
    return cast("Handler", found)
