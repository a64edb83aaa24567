"""`mendel mutate`: vary a function once and show the patch; nothing is evaluated, nothing recorded."""

from __future__ import annotations

import difflib
import secrets
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from mendel.bench.own_files import read_source
from mendel.bench.planning import Search
from mendel.breeding.asking import FORMS
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.operators import Variation, vary
from mendel.breeding.view import SITES, View
from mendel.console.evolvable import Invocation
from mendel.console.model_choices import asks_models, parse_routes
from mendel.console.options import Models, Route
from mendel.console.session import JsonFlag, Session, WeakFlag, printable, session_of
from mendel.console.work_tree import seen_by_git
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import EXIT_NOTHING, ConfigError, ModelError, StorageError
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.domains.programs.domain import CROSSOVER, LIBRARY
from mendel.domains.programs.front import asking_once
from mendel.domains.programs.front.asking_once import Reply
from mendel.domains.programs.front.evolve import FunctionAsked, function_plan, wish_of
from mendel.domains.programs.front.settings import mutate_target
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import drafted, library_uses
from mendel.domains.programs.preparing import plan as run_plan
from mendel.domains.programs.shipping import shipped_name
from mendel.domains.programs.wishes import Wish, find, roots_of
from mendel.projections.report.patch import unified_patch
from mendel.settings import Settings, evolve_settings
from mendel.wiring import open_run_fabric, scrubber

ROUNDS: Final = 60
"""Attempts, plus four per wanted variation, after which the search for new variations ends."""
_BOM: Final = b"\xef\xbb\xbf"  # editors on Windows write it; patch and file must keep it


def mutate(
    context: typer.Context,
    target: Annotated[
        str | None,
        typer.Argument(metavar="FILE:FUNC", help="The function to vary; the one named in mendel.toml if not given."),
    ] = None,
    operator: Annotated[
        str | None, typer.Option(help="The operator; drawn if not given. An unknown name lists all operators.")
    ] = None,
    site: Annotated[str | None, typer.Option(help=f"Class of places: {', '.join(SITES)}; any if not given.")] = None,
    count: Annotated[int, typer.Option(min=1, max=1_000, help="Number of different variations.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of every draw; drawn if not given.")] = None,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="Packages that programs may import.")] = None,
    models: Models = None,
    route: Route = None,
    out: Annotated[Path | None, typer.Option(help="Write the new source to this file.")] = None,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Vary a function once, and print the patch.

    This is one step of the search by itself: an operator is applied to the function or to what it calls in its file.
    The result is not checked for correctness or speed; only the operator `library` runs the function, in the sandbox,
    to observe it. The same seed gives the same patch. Exit code 3: nothing was found to change.

    With --models a model makes the change, one call for each variation, as in a run: it sees the function, where its
    time goes, and the right answers for some inputs. The maximum cost is shown before, the actual cost after. The
    operators model_diff, model_replace and model_rewrite choose the form of its answer.

        mendel mutate examples/bad_sort.py:sort

        mendel mutate examples/bad_sort.py:sort --operator statement_swap --seed 7 | git apply

        mendel mutate my_module.py:slow --count 5 --json

        mendel mutate examples/bad_sort.py:sort --models --route mutator=offline/programs.mutator
    """
    session = session_of(context)
    named = target or mutate_target(session.loaded.settings)
    if named is None:
        raise ConfigError("no function: give FILE:FUNC, or [mutate] target_file and entry_fn in mendel.toml")
    if out is not None and count > 1:
        raise ConfigError("--out takes one variation; leave out --count, or use --json")
    path, function = Wish.parse(named)
    drawn = seed if seed is not None else secrets.randbelow(2**31)
    asked = _asks(session.loaded.settings, models, _known(operator))
    placed = _placed(site, operator, asked=asked)
    wanted = _Wanted(
        path, function, operator, placed, count, drawn, tuple(allow or ()), asked, parse_routes(route or ())
    )
    found = session.run(_asked(session, wanted, weak=weak) if asked else _found(session, wanted, weak=weak))
    _tell(session, wanted, found, json=json)
    if not found.made:
        raise found.unanswered or typer.Exit(EXIT_NOTHING)
    if out is not None:
        _write(session, wanted, found.made[0], out)


@dataclass(frozen=True)
class _Wanted:
    """One invocation."""

    path: Path
    function: str
    operator: str | None
    site: str | None
    count: int
    seed: int
    packages: tuple[str, ...]
    asks: bool
    routes: Mapping[ModelRole, ModelRoute]

    def view(self) -> View:
        """Return the view of the file for operators.

        Raises:
            SourceNotPython: the file does not parse.
            NoSuchFunction: it has no such function.
            ConfigError: its marks are wrong.
        """
        code = Code(read_source(self.path), str(self.path))
        find(code, self.function)
        name = shipped_name(self.path)
        return View(code, roots_of({name: code}, name, self.function)[name], packages=self.packages)


@dataclass
class _Found:
    """Different variations, and every reply of models: those with a variation first, in the same order."""

    made: list[Variation] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    @property
    def unanswered(self) -> ModelError | None:
        """The last error, if no model answered at all; else None."""
        failures = [reply.failed for reply in self.replies]
        last = failures[-1] if failures and all(isinstance(each, ModelError) for each in failures) else None
        return last if isinstance(last, ModelError) else None


def _asks(settings: Settings, models: bool | None, operator: str | None) -> bool:
    """Whether to use a model: as the operator requires, or else as `mendel evolve` decides."""
    if operator in FORMS and models is False:
        raise ConfigError(f"--offline and --operator {operator}: this operator uses a model; omit one of the two")
    if operator is not None and operator not in FORMS and models:
        raise ConfigError(f"--models and --operator {operator}: this operator uses none; use one of {', '.join(FORMS)}")
    return operator in FORMS or (operator is None and asks_models(settings, models))


def _known(operator: str | None) -> str | None:
    if operator is None or operator in OPERATORS or operator in FORMS or operator == LIBRARY:
        return operator
    if operator == CROSSOVER:
        raise ConfigError(f"the operator {CROSSOVER} needs two parents, but there is only one program")
    names = sorted([*OPERATORS, *FORMS, LIBRARY])
    near = difflib.get_close_matches(operator, names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise ConfigError(f"no operator {operator!r}; {hint}known are {', '.join(names)}")


def _placed(site: str | None, operator: str | None, *, asked: bool) -> str | None:
    if site is not None and site not in SITES:
        raise ConfigError(f"no class of places {site!r}; known are {', '.join(SITES)}")
    if site is not None and operator == LIBRARY:
        raise ConfigError(f"the operator {LIBRARY} replaces whole blocks and takes no --site")
    if site is not None and asked:
        raise ConfigError("a model chooses its own places and takes no --site")
    return site


# --- varying ---------------------------------------------------------------------------------------------


async def _asked(session: Session, wanted: _Wanted, *, weak: bool) -> _Found:
    """Ask a model once for each wanted variation."""
    drawn = Entropy(wanted.seed, "mutate").sample(tuple(FORMS), len(FORMS), "forms")
    forms = [wanted.operator or drawn[number % len(drawn)] for number in range(wanted.count)]
    seen = {fingerprint(wanted.view().code)}  # the original itself is no variation
    found, others = _Found(), list[Reply]()
    async for reply in asking_once.replies(session, _plan(session, wanted, weak=weak), forms):
        looks = fingerprint(reply.code) if reply.code is not None else None
        if reply.code is None or looks is None or looks in seen:
            others.append(reply)
            continue
        seen.add(looks)
        found.made.append(Variation(reply.code, reply.operator, reply.source, reply.note))
        found.replies.append(reply)
    found.replies += others
    return found


def _plan(session: Session, wanted: _Wanted, *, weak: bool) -> Invocation[ProgramTask]:
    """Return the plan of a run that would use models this way, for this file alone."""
    wish = wish_of(session, FunctionAsked(f"{wanted.path}:{wanted.function}", packages=wanted.packages))
    search = Search(weak=weak, models=True, routes=wanted.routes)
    return function_plan(
        session, replace(wish, files=()), evolve_settings(session.loaded.settings), search, wanted.seed
    )


async def _found(session: Session, wanted: _Wanted, *, weak: bool) -> _Found:
    """Return as many different variations as are wanted, or fewer if there are no more."""
    if wanted.routes:
        raise ConfigError("--route chooses among models, but no model is used; add --models")
    view = wanted.view()
    source = _from_library(session, wanted, weak=weak) if wanted.operator == LIBRARY else _drawn(wanted, view)
    seen = {fingerprint(view.code)}
    found = _Found()
    async for made in source:
        looks = fingerprint(made.code)
        if looks not in seen:
            seen.add(looks)
            found.made.append(made)
        if len(found.made) == wanted.count:
            break
    return found


async def _drawn(wanted: _Wanted, view: View) -> AsyncIterator[Variation]:
    """Yield a limited number of variations by drawn operators, or by the requested one; some may be equal."""
    for attempt in range(ROUNDS + 4 * wanted.count):
        entropy = Entropy(wanted.seed, "mutate", attempt)
        for name in [wanted.operator] if wanted.operator is not None else _in_turn(entropy):
            made = vary(view, OPERATORS[name], entropy.child(name), wanted.site)
            if made is not None and wanted.site in (None, made.site):
                yield made
                break


def _in_turn(entropy: Entropy) -> Iterator[str]:
    """Yield every operator in random order, those with greater weights earlier."""
    left = sorted(OPERATORS)
    while left:
        yield left.pop(entropy.weighted([OPERATORS[name].weight for name in left], "operator", len(left)))


async def _from_library(session: Session, wanted: _Wanted, *, weak: bool) -> AsyncIterator[Variation]:
    """Yield uses of the standard library that behave like blocks of the function, observed by a fabric's workers."""
    settings = session.loaded.settings
    wish = wish_of(session, FunctionAsked(f"{wanted.path}:{wanted.function}", "opcodes", packages=wanted.packages))
    run = run_plan(drafted(wish, scrubber(settings)), wanted.seed, Search(weak=weak))
    async with open_run_fabric(settings, allow_weak=weak) as fabric:
        if weak:
            session.warn_if_weak(await fabric.isolation())
        uses = await library_uses(run, fabric, session.announce)
    for use in Entropy(wanted.seed, "mutate").sample(uses, len(uses), "library"):
        yield Variation(Code(use.text, str(wanted.path)), LIBRARY, "plain", use.note)


# --- output ----------------------------------------------------------------------------------------------


def _tell(session: Session, wanted: _Wanted, found: _Found, *, json: bool) -> None:
    told = [_told(wanted, made) for made in found.made]
    if json:
        head = {"file": str(wanted.path), "function": wanted.function, "seed": wanted.seed}
        by_model = [each.json() for each in found.replies[: len(told)]] if wanted.asks else [{} for _ in told]
        variations = [{**each, **reply} for each, reply in zip(told, by_model, strict=True)]
        session.answer({**head, "variations": variations, **(_asking(found.replies) if wanted.asks else {})})
        return
    for each in told:
        # Raw, with tabs: the output must be a valid patch. Git ignores the line before the first header.
        sys.stdout.write(f"{each['operator']} ({each['site']}): {each['note']}\n{each['patch']}")
    sys.stdout.flush()
    for reply in found.replies[len(told) :]:
        session.announce(f"{reply.route or 'no model'}, {reply.operator}: {_why_not(reply)}")
    if wanted.asks:
        session.announce(asking_once.told(found.replies))
    elif len(told) < wanted.count:
        session.announce(_few(wanted, len(told)))
    session.announce(f"seed {wanted.seed}")


def _asking(replies: Sequence[Reply]) -> dict[str, object]:
    """Return a summary of all questions, for JSON."""
    failed = [each for each in replies if each.failed is not None]
    reasons = [{"route": each.route, "operator": each.operator, "message": _why_not(each)} for each in failed]
    return {"asked": {"questions": len(replies), **asking_once.spent(replies), "failed": reasons}}


def _why_not(reply: Reply) -> str:
    return printable(" ".join(reply.note.split())) if reply.failed is not None else "the same as another"


def _few(wanted: _Wanted, found: int) -> str:
    if found:
        return f"only {found} different ones were found"
    who = f"the operator {wanted.operator} finds nothing" if wanted.operator else "no operator finds anything"
    where = f" at places of the class {wanted.site}" if wanted.site else ""
    return f"{who} to change in {wanted.function}{where}"


def _told(wanted: _Wanted, made: Variation) -> dict[str, str]:
    mark = _mark(wanted.path).decode()
    patch = unified_patch(seen_by_git(wanted.path), mark + read_source(wanted.path), mark + made.code.text)
    note = printable(" ".join(made.note.split()))
    return {"operator": made.operator, "site": made.site, "note": note, "patch": patch, "source": made.code.text}


def _mark(path: Path) -> bytes:
    """Return the byte order mark at the file's beginning; empty if it has none."""
    return _BOM if path.read_bytes().startswith(_BOM) else b""


def _write(session: Session, wanted: _Wanted, made: Variation, out: Path) -> None:
    try:
        out.write_bytes(_mark(wanted.path) + made.code.text.encode())
    except OSError as error:
        raise StorageError(f"{out} cannot be written: {error.strerror}") from error
    session.announce(f"wrote {out}")
