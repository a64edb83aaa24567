"""Loading what a run needs by name: its domain, the handlers of its steps, its selector."""

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
"""Where domains are found by name."""


def load_domain(name: str, payloads: PayloadRegistry = PAYLOADS) -> Domain:
    """The domain of that name, its payloads registered.

    Raises:
        UnknownPlugin: nobody has it, a handler of one of its steps, or a procedure for one of its offline roles; the
            message lists what is known.
        BrokenPlugin: it cannot be loaded, is no domain, goes by another name, or takes a payload's name twice.
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
    # Broad on purpose: a third-party constructor is a process boundary; so is its exit.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f'{DOMAINS} "{name}" cannot be made: {described(error)}') from error
    if not isinstance(domain, Domain):
        raise BrokenPlugin(
            f'{DOMAINS} "{name}" makes a {type(domain).__name__}, which is no mendel.kernel.domain.Domain'
        )
    own = getattr(domain, "name", None)
    if own is None:
        raise BrokenPlugin(f'{DOMAINS} "{name}": the class {_class_of(domain)} has no name; add name = "{name}" to it')
    if own != name:
        raise BrokenPlugin(f'{DOMAINS} "{name}" calls itself {own!r}; the names must be equal')
    return domain


def _class_of(domain: Domain) -> str:
    return f"{type(domain).__module__}.{type(domain).__qualname__}"


async def loaded(domains: Domains, name: str, patience_s: float) -> Domain:
    """The domain that ``domains`` finds, checked; one that never comes into being does not hang its caller.

    Raises:
        PluginError: as ``load_domain`` does.
        DomainFailed: it is not there in time.
    """
    thread = DomainThread(name, lambda: f"domain {name}: loading it", patience_s)
    try:
        domain = await thread.call(partial(domains, name))
    finally:
        thread.close()
    check_domain(domain)
    return domain


def check_domain(domain: Domain) -> None:
    """See that what a domain declares can be meant.

    Raises:
        BrokenPlugin: naming what cannot.
    """
    try:
        complaint = next(_wrong_shapes(domain), None) or next(_wrong_in(domain), None)
    except (AttributeError, TypeError, ValueError) as error:
        told = f"domain {domain.name}: what {_class_of(domain)} declares cannot be read: {error}"
        raise BrokenPlugin(told) from error
    if complaint is not None:
        raise BrokenPlugin(f"domain {domain.name}: {complaint}")


def _wrong_shapes(domain: Domain) -> Iterator[str]:
    """What of a class is not even of its kind, so that nothing further could be read from it."""
    own = _class_of(domain)
    payloads, steps, operators = (cast("object", each) for each in (domain.payloads, domain.steps, domain.operators))
    if not isinstance(payloads, Mapping) or not all(map(_is_kind, payloads)):
        yield f"{own}.payloads has models by (kind, version), such as {{('row', 1): Row}}, not {payloads!r:.100}"
    elif not all(isinstance(model, type) and issubclass(model, BaseModel) for model in payloads.values()):
        yield f"{own}.payloads has classes of pydantic.BaseModel for values, not {payloads!r:.200}"
    if not isinstance(steps, Mapping) or not all(isinstance(each, str) for each in steps):
        yield f"{own}.steps has a Step by each name, such as {{'{domain.name}.examine': Step()}}, not {steps!r:.100}"
    if not isinstance(operators, Sequence) or not all(isinstance(each, Operator) for each in operators):
        yield f"{own}.operators is a tuple of Operator, not {operators!r:.100}"


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
        yield f"config_kind is the (kind, version) of one of its payloads ({known}), not {domain.config_kind!r:.100}"
    roles = cast("object", domain.offline_roles)
    if not isinstance(roles, tuple) or any(each not in ROLES or each in OTHER_PORTS for each in roles):
        yield f"offline_roles is a tuple of roles that models play, not {roles!r:.100}"
    if not _is_whole(domain.most_candidates, 10_000):
        yield f"most_candidates is a number from 1 to 10,000, not {domain.most_candidates!r:.100}"


def _wrong_number(step: Step) -> Iterator[str]:
    if step.neighbours != 0 and not _is_whole(step.neighbours, MOST_NEIGHBOURS):
        yield f"has {step.neighbours!r:.100} for neighbours, not a number up to {MOST_NEIGHBOURS}"


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
        yield "names the sandbox and may run nothing in it: Step.allowance.evaluations is 0"
    yield from _wrong_number(step)
    if step.asks and "models" not in (*step.ports, *step.may_use) and set(step.asks) - OTHER_PORTS:
        yield f"asks {', '.join(step.asks)} without naming the port models"


def _wrong_children(domain: Domain, step: object) -> Iterator[str]:
    if not isinstance(step, Step):
        return
    children = cast("object", step.children)
    if not isinstance(children, tuple):
        yield f"has {children!r:.100} for children, not a tuple of steps"
        return
    for child in children:
        if child not in domain.steps:
            yield f"may ask for the child {child!r:.100}, which is not declared"


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(each, str) and each.isidentifier() and each.islower() for each in value
    )


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def asked_roles(config: RunConfig) -> dict[ModelRole, RolePlan]:
    """The roles that steps of the run's domain ask, with who plays them in the run; none where no model is asked.

    Raises:
        UnknownPlugin: nobody has the domain.
        BrokenPlugin: it cannot be loaded.
    """
    if config.models is None:
        return {}
    asked = [role for step in load_domain(config.domain).steps.values() for role in step.asks]
    return {role: config.models.roles[role] for role in asked if role in config.models.roles}


def load_selector(name: str) -> Callable[[], Selector]:
    """The maker of the selector of that name.

    Raises:
        UnknownPlugin: nobody has it.
        BrokenPlugin: it cannot be loaded or makes no selector.
    """
    maker = resolve(SELECTORS, name)
    try:
        made = maker() if callable(maker) else None
    # Broad on purpose: as above.
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f'{SELECTORS} "{name}" cannot be made: {described(error)}') from error
    if not isinstance(made, Selector):
        raise BrokenPlugin(f'{SELECTORS} "{name}" does not make a selector')
    return cast("Callable[[], Selector]", maker)
