"""What of this machine Mendel can use: the probes behind `mendel doctor`.

No probe needs root, leaves anything behind, raises, or takes longer than a few seconds; none shows a secret.
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
    """Look at everything at once; the order of the answers is always the same.

    Args:
        home: Mendel's home; it is not made.
        redis_url: the configured Redis, if any.
        environ: where PATH and the providers' variables are looked up.
        provider_variables: names of variables that hold providers' keys; only the names are ever told.
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
