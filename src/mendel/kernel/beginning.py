"""Configuring a run: all of its configuration is checked before anything is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from pydantic import ValidationError

from mendel import __version__
from mendel.contracts.actors import Actor
from mendel.contracts.base import JsonObject
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import ConfigError, DomainFailed, RunRefused
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.ids import RunId, new_run_id
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.payloads import PAYLOADS, DomainPayload, explain
from mendel.contracts.run_config import OFFLINE, Ancestor, NicheStart, RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import DomainThread
from mendel.kernel.inheriting import alone_in, refuse_second_successor, taken_over
from mendel.kernel.loading import Domains, load_domain, load_selector, loaded
from mendel.kernel.state import RunState
from mendel.kernel.walls import check_ports, check_walls
from mendel.ports.event_log import EventLog
from mendel.ports.handlers import KNOWN_PORTS
from mendel.ports.offline_roles import offline_plan
from mendel.ports.task_fabric import TaskFabric

_FLAGS_TOLD: Final = 3
LOADING_S = 60.0
"""Time limit in seconds for loading a domain."""


_RENAMED: Final = (
    "domain {0}: niches returns other names once the first, {1!r}, is recorded: {2}. A run that continues this one"
    " would start in new niches. Return config.first_niche first (here {3!r}), or names that do not contain it"
)


async def configure(
    log: EventLog,
    config: RunConfig,
    ceiling: RunCaps,
    *,
    domains: Domains = load_domain,
    fabric: TaskFabric | None = None,
    models: ModelPlan | None = None,
    run_id: RunId | None = None,
    correlation_id: str | None = None,
) -> RunId:
    """Record a new run, ready to be conducted, and return its id.

    ``models`` are the models that runs may use here, whatever ``config`` says. ``fabric`` will perform its steps;
    without one, no run of untrusted code is recorded.

    A caller that must find the run even if it never receives the return value passes ``run_id``, and the request that
    it belongs to as ``correlation_id``. The run continues the challenge counts of its niches, and gets their champions
    among its ancestors (rule 10).

    Raises:
        NicheClaimed: another run may challenge in one of its niches.
        RunNotFound: the chapter that it follows does not exist.
        SequenceConflict: a run with that id exists.
        RunRefused: a cap is above its ceiling, it chooses a model that it may not choose, the domain reports that it
            would be in vain, or a step requires a port that nothing can open.
        UnknownPlugin: a domain, handler or selector is not installed.
        ContractError: its configuration does not fit the domain's model.
        ConfigError: nothing is configured, and something must be.
        SandboxUnavailable: the domain runs untrusted code, and the sandbox is too weak for it.
    """
    refuse_above(config.caps, ceiling)
    config = with_models(config, models)
    domain = await loaded(domains, config.domain, LOADING_S)
    config = with_defaults(_with_procedures(config, domain), domain)
    load_selector(config.selector)
    await check_walls(domain, config, fabric)
    if fabric is not None:
        await check_ports(domain, config, {*fabric.ports, *KNOWN_PORTS}, LOADING_S)  # known ones may open later
    for own in (config.domain_config, config.parameters):
        if own is not None:
            PAYLOADS.check(own)
    config = await _with_niches(config, domain)
    if config.scoring_policy == ScoringPolicy():
        config = config.model_copy(update={"scoring_policy": domain.policy})
    made = run_id or new_run_id()
    async with alone_in(log, config):
        await refuse_second_successor(log, config)
        payload = RunConfigured(config=await taken_over(log, config), mendel_version=__version__)
        draft = EventDraft.of(payload, actor=Actor.OPERATOR, correlation_id=correlation_id)
        await log.append(made, [draft], expected=0)
    return made


def with_defaults(config: RunConfig, domain: Domain) -> RunConfig:
    """Return ``config`` with the domain's default configuration if it has none.

    Raises:
        ConfigError: the domain's configuration has required keys.
    """
    if config.domain_config is not None or domain.config_kind is None:
        return config
    return config.model_copy(update={"domain_config": _own_config(domain, {})})


async def _with_niches(config: RunConfig, domain: Domain) -> RunConfig:
    """Return ``config`` with the niches that the domain returns for it, and whether it may challenge in them.

    Raises:
        RunRefused: the domain reports that the run would be in vain.
        DomainFailed: it would return other niches for a run that continues this one.
    """
    asked = Asked(domain)
    thread = DomainThread(domain.name, lambda: f"domain {domain.name}: {asked.doing}", LOADING_S)
    try:
        first, *others = await thread.call(lambda: asked.niches(config))
        named = config if first == config.first_niche else config.model_copy(update={"niche": first})
        again = await thread.call(lambda: asked.niches(named))
        if again != (first, *others):
            raise DomainFailed(_RENAMED.format(domain.name, first, ", ".join(again), config.first_niche))
        challenges = await thread.call(lambda: asked.challenges(config))
        refusal = await thread.call(lambda: asked.refusal(config))
    finally:
        thread.close()
    if refusal is not None:
        raise RunRefused(refusal)
    update: dict[str, object] = {"niches": tuple(NicheStart(niche=name) for name in others)}
    return named.model_copy(update={**update, "never_challenges": config.never_challenges or not challenges})


def refuse_above(caps: RunCaps, ceiling: RunCaps) -> None:
    """Check that no cap is above its ceiling (rule 1).

    Raises:
        RunRefused: some are; the message names them.
    """
    above = caps.above(ceiling)
    if above:
        told = ", ".join(f"{name} {getattr(caps, name):,} > {getattr(ceiling, name):,}" for name in above)
        raise RunRefused(f"caps above their ceilings: {told}; lower them, or raise [ceilings] in mendel.toml")


def domain_payload(
    domain_name: str, data: JsonObject, quoted: Callable[[str], str | None] = lambda _key: None
) -> DomainPayload:
    """Return a domain's configuration as a payload, checked against the domain's model.

    ``quoted`` returns advice on how to write a key's value as a text, for a key that requires one and has none.

    Raises:
        UnknownPlugin: the domain is not installed.
        ConfigError: it takes no configuration, or this one is invalid.
    """
    return _own_config(load_domain(domain_name), data, quoted)


def _own_config(
    domain: Domain, data: JsonObject, quoted: Callable[[str], str | None] = lambda _key: None
) -> DomainPayload:
    if domain.config_kind is None:
        raise ConfigError(f"the domain {domain.name} takes no configuration; remove [config] and --set")
    kind, version = domain.config_kind
    try:
        domain.payloads[domain.config_kind].model_validate(data)
        return DomainPayload(domain=domain.name, kind=kind, version=version, data=data)
    except ValidationError as error:
        no_texts = (".".join(map(str, each["loc"])) for each in error.errors() if each["type"] == "string_type")
        advice = "".join(f"; {said}" for key in no_texts if (said := quoted(key)) is not None)
        told = f"{explain(error)}{_how_to_set(domain, data)}{advice}"
        # The cause would print the offending values into every trace (rule 4).
        raise ConfigError(f"configuration of the domain {domain.name}: {told}") from None


def _how_to_set(domain: Domain, data: JsonObject) -> str:
    """Return how to set the required keys that are missing; empty if none are."""
    fields = domain.payloads[domain.config_kind].model_fields if domain.config_kind is not None else {}
    unset = [name for name, field in fields.items() if field.is_required() and not {name, field.alias} & data.keys()]
    if not unset:
        return ""
    flags = " ".join(f"--set {name}=…" for name in unset[:_FLAGS_TOLD]) + (" …" if len(unset) > _FLAGS_TOLD else "")
    return f"; set it by {flags}, under [config] in a run file, or in `config` over the API"


def with_models(config: RunConfig, models: ModelPlan | None) -> RunConfig:
    """Return ``config`` with its models: none in the profile ``offline``, else ``models`` with the run's own choices.

    The roles that the domain itself plays in that profile are added once the domain is loaded.

    Raises:
        RunRefused: it chooses a model that runs may not choose, or none is configured.
    """
    if config.model_profile == OFFLINE:
        if config.model_route_overrides:
            raise RunRefused(f"a run with the profile {OFFLINE} uses no models, so it cannot choose any")
        return config.model_copy(update={"models": None})
    try:
        chosen = models.overridden(config.model_route_overrides) if models is not None else None
    except ValueError as error:
        raise RunRefused(str(error)) from error
    if chosen is None or not chosen.roles:
        raise RunRefused(
            f"the profile {config.model_profile} needs models, and none is configured; see [llm] in mendel.toml"
        )
    return config.model_copy(update={"models": chosen})


def _with_procedures(config: RunConfig, domain: Domain) -> RunConfig:
    """Return ``config`` with the domain's own procedures as its models, if the profile is ``offline``."""
    if config.model_profile != OFFLINE or not domain.offline_roles:
        return config
    return config.model_copy(update={"models": offline_plan(domain.name, domain.offline_roles)})


def continued(state: RunState, config: RunConfig) -> RunConfig:
    """Return ``config`` for a run that continues another one: in its niche, with its best survivors as founders.

    Champion and k belong to the niche and are the same for every run that starts there.

    Raises:
        RunRefused: the other run is not over, or has another domain.
    """
    if state.config.domain != config.domain:
        raise RunRefused(f"run {state.run_id} breeds {state.config.domain}, not {config.domain}")
    if not state.terminal:
        raise RunRefused(f"run {state.run_id} is {state.status}; resume or stop it before another run continues it")
    return config.model_copy(
        update={"continues": state.run_id, "niche": state.config.first_niche, "ancestors": tuple(_survivors(state))}
    )


def next_chapter(state: RunState) -> RunConfig:
    """Return the configuration of the chapter after a run: the same, with the parameters as of the run's end.

    Raises:
        RunRefused: the run is not over.
    """
    caps, seed = {"caps": state.caps, "slots": state.slots}, state.seed + 1  # the same seed would repeat its draws
    config = continued(state, state.config.model_copy(update={**caps, "rng_seed": seed}))
    return config.model_copy(update={"follows": state.run_id, "parameters": state.parameters})


def _survivors(state: RunState) -> Iterator[Ancestor]:
    """Yield the fittest candidate of each niche, or the niche's ancestors if none of its candidates was scored."""
    first = state.config.first_niche
    for name, niche in state.niches.items():
        if niche.best is not None:
            yield _survivor(state, niche.best[1], name if name != first else None)
            continue
        yield from (each for each in state.config.ancestors if not each.champion and (each.niche or first) == name)


def _survivor(state: RunState, candidate_id: str, niche: str | None) -> Ancestor:
    known = state.candidates[candidate_id]
    return Ancestor(
        run_id=state.run_id,
        candidate_id=candidate_id,
        traits=state.genomes[known.candidate.genome_id].genome.traits,
        content=known.content,
        niche=niche,
        looks=state.looks_of(known),
    )
