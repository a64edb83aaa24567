"""`mendel models`: list model roles and routes, probe them, and estimate their cost."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import Annotated, NoReturn

import typer

from mendel.cli.models_check import check_all, questions
from mendel.cli.models_views import (
    CHECK_COLUMNS,
    COST_COLUMNS,
    FREE,
    LIST_COLUMNS,
    NOTHING,
    OFFLINE,
    Json,
    Listing,
    caps_remark,
    check_row,
    cost_json,
    cost_row,
    table_of,
)
from mendel.console.model_choices import counted
from mendel.console.session import JsonFlag, Session, session_of
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import EXIT_DONE, EXIT_FAILED, EXIT_NOTHING, ConfigError, NoPrice
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import ModelRole, Price
from mendel.settings import Settings
from mendel.settings.model_plans import configured_plan, plan_of, worst_case
from mendel.settings.model_providers import Provider
from mendel.settings.models import ROLES
from mendel.wiring import ceilings, model_prices, scrubber

app = typer.Typer(help="List model roles and routes, probe them, and estimate their cost.", no_args_is_help=True)

RoleOption = Annotated[str | None, typer.Option("--role", metavar="ROLE", help="Only this role.")]
CandidatesOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=10_000_000,
        help="Questions per role.",
        show_default="evolve.stop.max_candidates, or a run's cap on candidates",
    ),
]


@app.command("list")
def list_(context: typer.Context, json: JsonFlag = False) -> None:
    """List the roles: the routes that play each, fallback, key, price, and the routes that a run may choose.

    No model is called. For a key, the list shows only the name of its variable and whether that is set.

        mendel models list

        mendel models list --json
    """
    session = session_of(context)
    settings = session.loaded.settings
    cleaner = scrubber(settings)
    listed = listing(settings)
    if json:
        session.answer(cleaner.value(listed.json()))
        return
    session.out.print(table_of(LIST_COLUMNS, list(listed.rows()), cleaner))
    for remark in listed.remarks():
        session.announce(cleaner.text(remark))


@app.command()
def check(context: typer.Context, role: RoleOption = None, json: JsonFlag = False) -> None:
    """Send one small question to every configured route, through the gateway, and report the outcomes.

    Outcomes are accepted, repaired, rejected or failed, with the reason. Each probe costs as much as a short answer.
    Exit codes: 0 all accepted or repaired, 1 some not, 2 the settings are wrong, 3 nothing is configured.

        mendel models check

        mendel models check --role mutator --json
    """
    session = session_of(context)
    settings = session.loaded.settings
    cleaner = scrubber(settings)
    asked = list(questions(plan_of(settings, model_prices(settings), _roles(role))))
    if not asked:
        _nothing(session, "checks", role, json=json)
    longest = max(each.plan.limits.timeout_ms for each in asked) / 1_000
    session.announce(f"asking {counted(len(asked), 'route')}; a call times out after at most {longest:,.0f} s")
    with session.progress("asking", "routes") as progress:
        checks = session.run(check_all(settings, asked, progress))
    fine = all(each.fine for each in checks)
    if json:
        session.answer(cleaner.value({"fine": fine, "checks": [each.json() for each in checks]}))
    else:
        session.out.print(table_of(CHECK_COLUMNS, list(map(check_row, checks)), cleaner))
    raise typer.Exit(EXIT_DONE if fine else EXIT_FAILED)


@app.command()
def cost(
    context: typer.Context,
    candidates: CandidatesOption = None,
    role: RoleOption = None,
    json: JsonFlag = False,
) -> None:
    """Estimate the worst-case cost of a number of questions, in calls, tokens and money, without calling a model.

    In the worst case every answer needs a repair, every call uses all its retries, and every limit is reached. A run
    stops earlier, at its own caps, which the ceilings bound: `fits` shows how many questions the caps allow, and which
    cap is reached first. Exit code 3: nothing is configured.

        mendel models cost --candidates 500

        mendel models cost --candidates 500 --role mutator --json
    """
    session = session_of(context)
    settings = session.loaded.settings
    plan = configured_plan(settings, model_prices(settings), _roles(role))
    if not plan.roles:
        _nothing(session, "roles", role, json=json)
    caps = RunCaps().clamped(ceilings(settings))
    number = candidates or settings.evolve.bounds().candidates or caps.max_candidates
    rows = [worst_case(plan, each, number) for each in plan.roles]
    if json:
        limits: Json = {"max_tokens": caps.max_tokens, "max_cost_microusd": caps.max_cost_microusd}
        session.answer({"candidates": number, "caps": limits, "roles": [cost_json(row, caps) for row in rows]})
        return
    session.out.print(table_of(COST_COLUMNS, [cost_row(row, caps) for row in rows], scrubber(settings)))
    session.announce(f"at worst, for {counted(number, 'question')} to each role; {caps_remark(caps)}")


def _roles(text: str | None) -> Collection[ModelRole]:
    """Return the role from the command line, or all roles."""
    if text is None:
        return ROLES
    for role in ROLES:
        if role == text:  # narrows the text to the literal type
            return (role,)
    near = difflib.get_close_matches(text, ROLES, n=1)
    advice = f"; did you mean {near[0]}?" if near else ""
    raise ConfigError(f"--role: unknown role {text!r}; known are {', '.join(ROLES)}{advice}")


def listing(settings: Settings) -> Listing:
    """Return every role with its routes, including routes without a known price."""
    unpriced: set[str] = set()
    return Listing(settings, _lenient_plan(settings, unpriced), unpriced)


def _lenient_plan(settings: Settings, unpriced: set[str]) -> ModelPlan:
    """Return the plan of all routes; routes without a known price count as free and are added to ``unpriced``."""
    known = model_prices(settings)

    def price(provider: Provider, model: str, prompt_tokens: int) -> Price:
        try:
            return known(provider, model, prompt_tokens)
        except NoPrice:
            unpriced.add(f"{provider.name}/{model}")
            return FREE

    return configured_plan(settings, price)


def _nothing(session: Session, what: str, role: str | None, *, json: bool) -> NoReturn:
    """Explain why there is nothing to show, and exit with the code for it."""
    llm = session.loaded.settings.llm
    configured = llm.providers or llm.routes or llm.backends or llm.backend_weights
    why = NOTHING
    if configured and role is not None:
        why = f"no model is asked as {role}; `mendel models list` shows the routes of every role, and unused settings"
    if configured and llm.profile == "offline":
        why = OFFLINE
    if json:
        session.answer({what: [], "message": why})
    else:
        session.announce(why)
    raise typer.Exit(EXIT_NOTHING)
