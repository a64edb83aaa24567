"""Settings that need a missing component, and what to do instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mendel.ports.registry import plugins
from mendel.settings.keys import FIELDS, lookup, shown
from mendel.settings.lookups import OFF, PROVIDER
from mendel.settings.sections import Settings

NATIVE: Final = "native"
_LOOKUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "embeddings.backend": ("mendel.embedders", "an embedder", PROVIDER),
    "embeddings.fallback": ("mendel.embedders", "an embedder"),
    "retrieval.backend": ("mendel.retrievers", "a retriever", OFF),
}
"""By setting: the group of its plug-ins, what they are, and further allowed values."""
_ENDPOINT: Final = "an endpoint for it"
# Backends in the files of seed 000 that Mendel does not have.
_BACKENDS: Final[Mapping[str, str]] = {"docker": "a container engine", "gpu": "GPU workers"}


class Lacking(NamedTuple):
    """A setting without effect, because a component is missing; with ``refuses``, `mendel evolve` does not start."""

    key: str
    value: str
    part: str
    instead: str
    refuses: bool = False

    def __str__(self) -> str:
        return f"{self.key} = {self.value}: {self.part} is not available; {self.instead}"


def lacking(settings: Settings) -> tuple[Lacking, ...]:
    """Return every setting that needs a missing component, in the order of the sections."""
    return tuple(_lacking(settings))


def _lacking(settings: Settings) -> Iterator[Lacking]:
    if settings.evolve.backend is not None:
        yield from backend_lacking(settings.evolve.backend)
    if settings.task_queue.provider == "redis":
        instead = 'tasks stay in this process, as with provider = "stub"'
        yield Lacking("task_queue.provider", "redis", "the queue on Redis Streams", instead)
    if settings.result_backend.provider is not None:
        instead = "results are in the event log; remove [result_backend]"
        yield Lacking("result_backend.provider", settings.result_backend.provider, "the result backend", instead)
    workers = "set [fabric] workers for worker processes on this machine"
    yield from _given(settings, "worker.defaults.", "a worker outside this process", workers)
    if settings.llm.profile == "offline":
        instead = 'set llm.profile = "live" to call models; until then only the offline operators search'
        yield from _given(settings, "llm.", "permission to call models", instead)
    yield from lookups_lacking(settings)


def lookups_lacking(settings: Settings) -> Iterator[Lacking]:
    """Yield what is missing for embeddings, retrieval and research as configured."""
    for key, (group, what, *others) in _LOOKUPS.items():
        yield from _unknown_name(key, str(lookup(settings, key)), what, [*others, *_names_of(group)])
    if settings.embeddings.backend == PROVIDER and "embedding" not in settings.llm.routes:
        instead = "add [llm.routes.embedding] with a provider and a model"
        yield Lacking("embeddings.backend", PROVIDER, "a route for it", instead, refuses=True)
    if settings.embeddings.backend != PROVIDER and "embedding" in settings.llm.routes:
        instead = f'set embeddings.backend = "{PROVIDER}"; until then {settings.embeddings.backend} makes the vectors'
        yield Lacking("llm.routes", "embedding", "an embedder that uses it", instead)
    if "retrieval" in settings.llm.routes:
        off = settings.retrieval.backend == OFF
        whence = "no passages are looked up" if off else "passages come from [retrieval] alone"
        instead = f"{whence}; set backend in [retrieval], and remove [llm.routes.retrieval]"
        yield Lacking("llm.routes", "retrieval", "a model that finds passages", instead)
    if settings.retrieval.backend == "web" and settings.retrieval.endpoint is None:
        yield Lacking("retrieval.backend", "web", _ENDPOINT, "set retrieval.endpoint", refuses=True)
    for name, search in settings.research.searches().items():
        if search.endpoint is None:
            yield Lacking("research.tools", name, _ENDPOINT, f"set research.{name}.endpoint", refuses=True)


def _unknown_name(key: str, name: str, what: str, known: list[str]) -> Iterator[Lacking]:
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        advice = f"did you mean {near[0]}? " if near else ""
        yield Lacking(
            key, name, f"{what} with that name", f"{advice}known are {', '.join(sorted(known))}", refuses=True
        )


def _names_of(group: str) -> set[str]:
    return {plugin.name for plugin in plugins(group)}


def _given(settings: Settings, prefix: str, part: str, instead: str) -> Iterator[Lacking]:
    """Yield one entry for all settings below ``prefix`` together, if any is set."""
    values = {key: lookup(settings, key) for key in FIELDS if key.startswith(prefix)}
    given = {key: value for key, value in values.items() if value not in (None, (), {}, FIELDS[key].default)}
    if given:
        key, value = next(iter(given.items()))
        yield Lacking(key, shown(value), part, instead)


def backend_lacking(name: str, key: str = "evolve.backend") -> Iterator[Lacking]:
    """Yield what is missing, unless a sandbox with this name is installed."""
    known = _names_of("mendel.sandboxes")
    if name not in known:
        part = _BACKENDS.get(name, "a sandbox with that name")
        instead = f'use "{NATIVE}"; known are {", ".join(sorted(known))}'
        yield Lacking(key, name, part, instead, refuses=True)
