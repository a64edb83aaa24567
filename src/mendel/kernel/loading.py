"""Loading a run's plug-ins by name: its domain, the handlers of its steps, its selector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from pydantic import BaseModel

from mendel.contracts.energy import Usage
from mendel.contracts.errors import BrokenPlugin, ContractError
from mendel.contracts.model_plans import RolePlan
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry, described
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.kernel.domain import Domain, Step
from mendel.kernel.domain_thread import DomainThread
from mendel.ports.handlers import find_handler
from mendel.ports.model_gateway import OTHER_PORTS, ROLES
from mendel.ports.offline_roles import find_procedure
from mendel.ports.registration import DOMAINS, find_registration
from mendel.ports.registry import resolve
from mendel.selection.operators import Operator
from mendel.selection.selectors import Selector

SELECTORS = "mendel.selectors"
MOST_NEIGHBOURS = 100
WEEK_MS = 7 * 24 * 3_600_000


Domains = Callable[[str], Domain]
"""A function that finds domains by name."""


def load_domain(name: str, payloads: PayloadRegistry = PAYLOADS) -> Domain:
    """Return the domain of that name, with its payloads registered.

    Raises:
        UnknownPlugin: the domain, a handler of one of its steps, or a procedure for one of its offline roles is not
            installed; the message lists the known names.
        BrokenPlugin: it cannot be loaded, is no domain, has another name, or registers a payload's name twice.
    """
    domain = _made(name)
    check_domain(domain)
    try:
        for (kind, version), model in domain.payloads.items():
            payloads.register(domain.name, kind, version, model)
    except (ContractError, AttributeError, ValueError, TypeError) as error:
        raise BrokenPlugin(f'{DOMAINS} "{name}" cannot register its payloads: {error}') from error
    for step in domain.steps:
        find_handler(step)
    for role in domain.offline_roles:
        find_procedure(f"{domain.name}.{role}")
    return domain


def _made(name: str) -> Domain:
    registration = find_registration(name)
    maker = registration.resolve("domain", registration.domain)
    if not callable(maker):
        raise BrokenPlugin(f'{DOMAINS} "{name}" is {type(maker).__name__}, not a class of domain')
    try:
        domain = maker()
    # Broad on purpose: a third-party constructor may raise anything, and SystemExit must not end this process.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f'{DOMAINS} "{name}" cannot be created: {described(error)}') from error
    if not isinstance(domain, Domain):
        raise BrokenPlugin(
            f'{DOMAINS} "{name}" creates a {type(domain).__name__}, which is no mendel.kernel.domain.Domain'
        )
    own = getattr(domain, "name", None)
    if own is None:
        raise BrokenPlugin(f'{DOMAINS} "{name}": the class {_class_of(domain)} has no name; add name = "{name}" to it')
    if own != name:
        raise BrokenPlugin(f'{DOMAINS} "{name}" has the name {own!r} in its class; the names must be equal')
    return domain


def _class_of(domain: Domain) -> str:
    return f"{type(domain).__module__}.{type(domain).__qualname__}"


async def loaded(domains: Domains, name: str, patience_s: float) -> Domain:
    """Load and check a domain with ``domains``, in a thread, so that a hanging constructor does not block the caller.

    Raises:
        PluginError: as for ``load_domain``.
        DomainFailed: it was not loaded in time.
    """
    thread = DomainThread(name, lambda: f"domain {name}: loading it", patience_s)
    try:
        domain = await thread.call(partial(domains, name))
    finally:
        thread.close()
    check_domain(domain)
    return domain


def check_domain(domain: Domain) -> None:
    """Check the declarations of a domain.

    Raises:
        BrokenPlugin: one is invalid; the message names it.
    """
    try:
        complaint = next(_wrong_shapes(domain), None) or next(_wrong_in(domain), None)
    except (AttributeError, TypeError, ValueError) as error:
        told = f"domain {domain.name}: the declarations of {_class_of(domain)} cannot be read: {error}"
        raise BrokenPlugin(told) from error
    if complaint is not None:
        raise BrokenPlugin(f"domain {domain.name}: {complaint}")


def _wrong_shapes(domain: Domain) -> Iterator[str]:
    """Yield complaints about declarations of a wrong type, which no further check could read."""
    own = _class_of(domain)
    payloads, steps, operators = (cast("object", each) for each in (domain.payloads, domain.steps, domain.operators))
    if not isinstance(payloads, Mapping) or not all(map(_is_kind, payloads)):
        yield f"{own}.payloads must map (kind, version) to models, such as {{('row', 1): Row}}, not {payloads!r:.100}"
    elif not all(isinstance(model, type) and issubclass(model, BaseModel) for model in payloads.values()):
        yield f"{own}.payloads must have subclasses of pydantic.BaseModel as values, not {payloads!r:.200}"
    if not isinstance(steps, Mapping) or not all(isinstance(each, str) for each in steps):
        yield f"{own}.steps must map names to Step, such as {{'{domain.name}.examine': Step()}}, not {steps!r:.100}"
    if not isinstance(operators, Sequence) or not all(isinstance(each, Operator) for each in operators):
        yield f"{own}.operators must be a tuple of Operator, not {operators!r:.100}"


def _is_kind(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], str) and isinstance(key[1], int)


def _wrong_in(domain: Domain) -> Iterator[str]:
    for name, step in dict(domain.steps).items():
        yield from (f"the step {name!r} {complaint}" for complaint in _wrong_with(step))
        yield from (f"the step {name!r} {complaint}" for complaint in _wrong_children(domain, step))
    names = [operator.name for operator in domain.operators]
    if len(names) > len(set(names)):
        yield "two operators have the same name"
    for operator in domain.operators:
        if operator.step not in domain.steps:
            yield f"the operator {operator.name} needs the step {operator.step}, which is not declared"
    if domain.config_kind is not None and domain.config_kind not in [*domain.payloads]:
        known = ", ".join(map(repr, domain.payloads)) or "there are none"
        yield f"config_kind must be (kind, version) of one of its payloads ({known}), not {domain.config_kind!r:.100}"
    roles = cast("object", domain.offline_roles)
    if not isinstance(roles, tuple) or any(each not in ROLES or each in OTHER_PORTS for each in roles):
        yield f"offline_roles must be a tuple of model roles, not {roles!r:.100}"
    if not _is_whole(domain.most_candidates, 10_000):
        yield f"most_candidates must be a whole number from 1 to 10,000, not {domain.most_candidates!r:.100}"


def _wrong_number(step: Step) -> Iterator[str]:
    if step.neighbours != 0 and not _is_whole(step.neighbours, MOST_NEIGHBOURS):
        yield f"has {step.neighbours!r:.100} for neighbours, not a whole number from 0 to {MOST_NEIGHBOURS}"


def _wrong_with(step: object) -> Iterator[str]:
    if not isinstance(step, Step):
        yield f"is a {type(step).__name__}, not a Step"
        return
    allowance, requires = cast("object", step.allowance), cast("object", step.requires)
    if not isinstance(allowance, Usage):
        yield f"has {allowance!r:.100} for an allowance, not a Usage"
    if not _is_whole(step.deadline_ms, WEEK_MS):
        yield f"has {step.deadline_ms!r:.100} for a deadline, not milliseconds from 1 to a week"
    if not isinstance(requires, tuple) or not all(isinstance(each, str) and each for each in requires):
        yield f"requires {requires!r:.100}, not a tuple of names"
    yield from (
        f"has {getattr(step, name)!r:.100} for {name}, not true or false"
        for name in ("hints", "cohort", "earlier")
        if not isinstance(getattr(step, name), bool)
    )
    for ports in (step.ports, step.may_use):
        if not _are_names(ports):
            yield f"names the ports {ports!r:.100}, not a tuple of names"
    if "sandbox" in (*step.ports, *step.may_use) and isinstance(allowance, Usage) and not allowance.evaluations:
        yield "uses the sandbox but cannot run anything in it: Step.allowance.evaluations is 0"
    yield from _wrong_number(step)
    if step.asks and "models" not in (*step.ports, *step.may_use) and set(step.asks) - OTHER_PORTS:
        yield f"calls the roles {', '.join(step.asks)} without the port models; add it to Step.ports or Step.may_use"


def _wrong_children(domain: Domain, step: object) -> Iterator[str]:
    if not isinstance(step, Step):
        return
    children = cast("object", step.children)
    if not isinstance(children, tuple):
        yield f"has {children!r:.100} for children, not a tuple of steps"
        return
    for child in children:
        if child not in domain.steps:
            yield f"has the child {child!r:.100}, which is not declared as a step"


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(each, str) and each.isidentifier() and each.islower() for each in value
    )


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def asked_roles(config: RunConfig) -> dict[ModelRole, RolePlan]:
    """Return the roles that steps of the run's domain call, with their models; empty if the run uses no models.

    Raises:
        UnknownPlugin: the domain is not installed.
        BrokenPlugin: it cannot be loaded.
    """
    if config.models is None:
        return {}
    asked = [role for step in load_domain(config.domain).steps.values() for role in step.asks]
    return {role: config.models.roles[role] for role in asked if role in config.models.roles}


def load_selector(name: str) -> Callable[[], Selector]:
    """Return the factory of the selector of that name.

    Raises:
        UnknownPlugin: it is not installed.
        BrokenPlugin: it cannot be loaded, or creates no selector.
    """
    maker = resolve(SELECTORS, name)
    try:
        made = maker() if callable(maker) else None
    # Broad on purpose: as above.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f'{SELECTORS} "{name}" cannot be created: {described(error)}') from error
    if not isinstance(made, Selector):
        raise BrokenPlugin(f'{SELECTORS} "{name}" does not create a selector')
    return cast("Callable[[], Selector]", maker)
