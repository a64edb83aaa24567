"""Loading what a run needs by name: its domain, the handlers of its steps, its selector."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from mendel.contracts.errors import BrokenPlugin, ContractError
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry
from mendel.kernel.domain import Domain
from mendel.ports.handlers import find_handler
from mendel.ports.registry import resolve
from mendel.selection.selectors import Selector

DOMAINS = "mendel.domains"
SELECTORS = "mendel.selectors"


Domains = Callable[[str], Domain]
"""Where domains are found by name."""


def load_domain(name: str, payloads: PayloadRegistry = PAYLOADS) -> Domain:
    """The domain of that name, its payloads registered.

    Raises:
        UnknownPlugin: nobody has it, or a handler of one of its steps; the message lists what is known.
        BrokenPlugin: it cannot be loaded, is no domain, goes by another name, or takes a payload's name twice.
    """
    domain = _made(name)
    try:
        for (kind, version), model in domain.payloads.items():
            payloads.register(domain.name, kind, version, model)
    except (ContractError, ValueError, TypeError) as error:
        raise BrokenPlugin(f'{DOMAINS} "{name}" cannot register its payloads: {error}') from error
    for step in domain.steps:
        find_handler(step)
    return domain


def _made(name: str) -> Domain:
    maker = resolve(DOMAINS, name)
    if not callable(maker):
        raise BrokenPlugin(f'{DOMAINS} "{name}" is {type(maker).__name__}, not a class of domain')
    try:
        domain = maker()
    # Broad on purpose: a third-party constructor is a process boundary.
    except Exception as error:
        raise BrokenPlugin(f'{DOMAINS} "{name}" cannot be made: {type(error).__name__}: {error}') from error
    if not isinstance(domain, Domain):
        raise BrokenPlugin(
            f'{DOMAINS} "{name}" makes a {type(domain).__name__}, which is no mendel.kernel.domain.Domain'
        )
    if domain.name != name:
        raise BrokenPlugin(f'{DOMAINS} "{name}" calls itself {domain.name!r}; the names must be equal')
    return domain


def load_selector(name: str) -> Callable[[], Selector]:
    """The maker of the selector of that name.

    Raises:
        UnknownPlugin: nobody has it.
        BrokenPlugin: it cannot be loaded or makes no selector.
    """
    maker = resolve(SELECTORS, name)
    if not callable(maker) or not isinstance(maker(), Selector):
        raise BrokenPlugin(f'{SELECTORS} "{name}" does not make a selector')
    return cast("Callable[[], Selector]", maker)
