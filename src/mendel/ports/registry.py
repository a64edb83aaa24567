"""Plug-ins: the objects that packages register in Mendel's entry-point groups, and how to load them.

Listing imports nothing; only :func:`resolve` runs a plug-in's code. The installed packages are read again whenever a
place on the path has changed, so that a newly installed distribution is found.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mendel.contracts.errors import BrokenPlugin, UnknownPlugin
from mendel.contracts.payloads import described

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mendel.event_logs": "append-only logs of runs",
        "mendel.domains": "registrations of domains: programs, tools, ideas, worlds",
        "mendel.selectors": "choice of parents",
        "mendel.mutators": "variation of genomes",
        "mendel.task_handlers": "functions that perform tasks",
        "mendel.task_queues": "transport of tasks to workers",
        "mendel.result_backends": "transport of results to the conductor",
        "mendel.sandboxes": "isolation of untrusted code",
        "mendel.llm_backends": "protocols of model providers",
        "mendel.offline_roles": "procedures that play a role without a model",
        "mendel.embedders": "vectors of texts, for their similarity",
        "mendel.retrievers": "sources of background knowledge",
        "mendel.monitors": "measurements of the gate other than correctness",
        "mendel.dispatchers": "distribution of the gate's executions",
        "mendel.critics": "implementations of a critic's mandate",
        "mendel.checks": "implementations of a check",
    }
)
"""The closed set of groups: every plug-in of Mendel belongs to one of them."""

INSTALLABLE: Final[Mapping[tuple[str, str], str]] = MappingProxyType({})
"""Known (group, name) pairs that an extra or another package provides; none is released yet."""


@dataclass(frozen=True)
class Plugin:
    """A registered plug-in, not loaded; ``value`` is the dotted reference to its object."""

    group: str
    name: str
    value: str
    distribution: str
    version: str
    summary: str


def plugins(group: str | None = None) -> tuple[Plugin, ...]:
    """Return every installed plug-in, or those of one group, sorted by group and name; imports none of them.

    Two distributions that claim one name are both listed.

    Raises:
        UnknownPlugin: there is no such group.
        BrokenPlugin: the entry points of a distribution cannot be read.
    """
    groups = GROUPS if group is None else (_known(group),)
    return tuple(plugin for plugin in _installed(_path_as_it_is()) if plugin.group in groups)


def _path_as_it_is() -> tuple[tuple[str, int], ...]:
    """Return the places of the path with their modification times."""
    return tuple((place, _changed(place)) for place in sys.path)


def _changed(place: str) -> int:
    try:
        return Path(place or ".").stat().st_mtime_ns
    except OSError:
        return 0  # a place on the path need not exist


@lru_cache(maxsize=4)
def _installed(_path: tuple[tuple[str, int], ...]) -> tuple[Plugin, ...]:
    """Return all plug-ins. Cached: reading them takes ten milliseconds, and a run resolves each of its steps."""
    return tuple(sorted(_registered(GROUPS), key=lambda plugin: (plugin.group, plugin.name, plugin.value)))


def resolve(group: str, name: str) -> object:
    """Load the plug-in of that name.

    Raises:
        UnknownPlugin: there is no such group, or nothing of that name in it.
        BrokenPlugin: it cannot be loaded, or several distributions claim the name.
    """
    installed = plugins(group)
    claims = [plugin for plugin in installed if plugin.name == name]
    if not claims:
        raise UnknownPlugin(_nobody_knows(group, name, [plugin.name for plugin in installed]))
    if len(claims) > 1:
        raise BrokenPlugin(
            f'{group} "{name}" is claimed by {" and by ".join(map(_described, claims))}; uninstall all of them but one'
        )
    return _load(claims[0])


def _load(plugin: Plugin) -> object:
    try:
        return EntryPoint(plugin.name, plugin.value, plugin.group).load()
    # Broad on purpose: an import of third-party code may raise anything, or exit; both are that package's failure.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(
            f'{plugin.group} "{plugin.name}" of {_described(plugin)} cannot be loaded: {described(error)}'
        ) from error


def _described(plugin: Plugin) -> str:
    return f"{plugin.distribution} {plugin.version} ({plugin.value})"


def _known(group: str) -> str:
    if group not in GROUPS:
        raise UnknownPlugin(
            f'there is no plug-in group "{group}"; known are {_listed(GROUPS)}{_did_you_mean(group, GROUPS)}'
        )
    return group


def _nobody_knows(group: str, name: str, names: list[str]) -> str:
    package = INSTALLABLE.get((group, name))
    missing = "otherwise, install the package that brings it"
    install = f"it comes with {package}: pip install '{package}'" if package else missing
    return f'{group} has no "{name}"; known are {_listed(names)}{_did_you_mean(name, names)}; {install}'


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names))) or "none"


def _did_you_mean(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _registered(groups: Iterable[str]) -> Iterator[Plugin]:
    for distribution in _distributions():
        name, version = (_metadata(distribution, field) for field in ("Name", "Version"))
        summary = _metadata(distribution, "Summary", "")
        for entry in _entry_points(distribution):
            if entry.group in groups:
                yield Plugin(entry.group, entry.name, entry.value, name, version, summary)


def _distributions() -> Iterator[Distribution]:
    """Yield the distributions with Mendel plug-ins; of several with the same name, the first on the path is in use."""
    seen: set[str] = set()
    for distribution in distributions():
        # A check of the raw text spares parsing the entry points of every other package.
        if "[mendel." not in (distribution.read_text("entry_points.txt") or ""):
            continue
        # Distribution names are compared in their normalised form (PEP 503).
        name = re.sub(r"[-_.]+", "-", _metadata(distribution, "Name")).lower()
        if name not in seen:
            seen.add(name)
            yield distribution


def _entry_points(distribution: Distribution) -> Iterable[EntryPoint]:
    try:
        return distribution.entry_points
    # For a line without "=", the standard library raises a TypeError.
    except (TypeError, ValueError) as error:
        name = _metadata(distribution, "Name")
        raise BrokenPlugin(f"the entry_points.txt of {name} cannot be read: {error}") from error


def _metadata(distribution: Distribution, field: str, missing: str = "unknown") -> str:
    metadata = distribution.metadata
    return str(metadata[field]) if field in metadata else missing
