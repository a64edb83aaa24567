"""The probes behind `mendel doctor`: what Mendel can use on this machine.

No probe needs root, leaves anything behind, raises, takes longer than a few seconds, or shows a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from mendel.adapters.host.cgroups import cgroups
from mendel.adapters.host.kernel_features import landlock, namespaces, seccomp
from mendel.adapters.host.programs import browser, bubblewrap, container_engine, postgres
from mendel.adapters.host.redis import redis
from mendel.adapters.host.resources import disk, home_writable, memory, provider_keys, python, rlimits
from mendel.contracts.diagnostics import Probe


def run_probes(
    *, home: Path, redis_url: str | None, environ: Mapping[str, str], provider_variables: Iterable[str]
) -> tuple[Probe, ...]:
    """Run all probes concurrently; the results are always in the same order.

    Args:
        home: Mendel's home; it is not created.
        redis_url: the configured Redis, if any.
        environ: the environment with PATH and the providers' variables.
        provider_variables: names of variables with providers' keys; only the names are ever shown.
    """
    probes: tuple[Callable[[], Probe], ...] = (
        python,
        partial(postgres, environ),
        namespaces,
        seccomp,
        landlock,
        cgroups,
        rlimits,
        partial(bubblewrap, environ),
        partial(container_engine, environ),
        partial(redis, redis_url, environ),
        partial(browser, environ),
        partial(provider_keys, environ, tuple(provider_variables)),
        partial(home_writable, home),
        partial(disk, home),
        memory,
    )
    with ThreadPoolExecutor(max_workers=len(probes)) as pool:
        return tuple(pool.map(lambda probe: probe(), probes))
