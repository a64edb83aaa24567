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
"""So often without anything new is tried before there is nothing more to be found."""
_BOM: Final = b"\xef\xbb\xbf"


def mutate(
    context: typer.Context,
    target: Annotated[
        str | None,
        typer.Argument(metavar="FILE:FUNC", help="The function to vary; if none, the one that mendel.toml names."),
    ] = None,
    operator: Annotated[
        str | None, typer.Option(help="How it is varied; drawn if not given. An unknown one lists those there are.")
    ] = None,
    site: Annotated[str | None, typer.Option(help=f"Where: {', '.join(SITES)}; anywhere if not given.")] = None,
    count: Annotated[int, typer.Option(min=1, max=1_000, help="So many different variations.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="The number behind every draw; drawn if not given.")] = None,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="Packages that programs may import.")] = None,
    models: Models = None,
    route: Route = None,
    out: Annotated[Path | None, typer.Option(help="Write the new source into this file.")] = None,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Vary a function once, and print the patch.

    One step of the search by itself: an operator is applied to the function or to what it calls in its file. Whether
    the result is right or fast is not looked at; only the operator `library` runs the function, in the sandbox, to
    see what it does. The same seed gives the same patch. Exit code 3: nothing was found to change.

    With --models a model is asked instead, once for each variation, as a run would ask it: it is shown the function,
    where its time goes, and what is right for some inputs. What that can cost is said before, what it did cost after.
    The operators model_diff, model_replace and model_rewrite choose the form of its answer.

        mendel mutate examples/bad_sort.py:sort

        mendel mutate examples/bad_sort.py:sort --operator statement_swap --seed 7 | git apply

        mendel mutate my_module.py:slow --count 5 --json

        mendel mutate examples/bad_sort.py:sort --models --route mutator=offline/programs.mutator
    """
    session = session_of(context)
    named = target or mutate_target(session.loaded.settings)
    if named is None:
        raise ConfigError("which function? give FILE:FUNC, or [mutate] target_file and entry_fn in mendel.toml")
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
        """The file as operators see it.

        Raises:
            SourceNotPython: it does not parse.
            NoSuchFunction: it has no such function.
            ConfigError: its marks are wrong.
        """
        code = Code(read_source(self.path), str(self.path))
        find(code, self.function)
        name = shipped_name(self.path)
        return View(code, roots_of({name: code}, name, self.function)[name], packages=self.packages)


@dataclass
class _Found:
    """Different variations, and of models every reply: those of which variations came first, in their order."""

    made: list[Variation] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    @property
    def unanswered(self) -> ModelError | None:
        """Why nobody answered, where that is all there is to say."""
        failures = [reply.failed for reply in self.replies]
        last = failures[-1] if failures and all(isinstance(each, ModelError) for each in failures) else None
        return last if isinstance(last, ModelError) else None


def _asks(settings: Settings, models: bool | None, operator: str | None) -> bool:
    """Whether a model is asked: as the operator says, or else as `mendel evolve` decides it."""
    if operator in FORMS and models is False:
        raise ConfigError(f"--offline and --operator {operator}: that one asks a model; leave out one of the two")
    if operator is not None and operator not in FORMS and models:
        raise ConfigError(f"--models and --operator {operator}: that one asks nobody; take one of {', '.join(FORMS)}")
    return operator in FORMS or (operator is None and asks_models(settings, models))


def _known(operator: str | None) -> str | None:
    if operator is None or operator in OPERATORS or operator in FORMS or operator == LIBRARY:
        return operator
    if operator == CROSSOVER:
        raise ConfigError(f"the operator {CROSSOVER} needs two parents, and here is only one program")
    names = sorted([*OPERATORS, *FORMS, LIBRARY])
    near = difflib.get_close_matches(operator, names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise ConfigError(f"no operator {operator!r}; {hint}known are {', '.join(names)}")


def _placed(site: str | None, operator: str | None, *, asked: bool) -> str | None:
    if site is not None and site not in SITES:
        raise ConfigError(f"no class of places {site!r}; known are {', '.join(SITES)}")
    if site is not None and operator == LIBRARY:
        raise ConfigError(f"the operator {LIBRARY} looks at whole blocks and takes no --site")
    if site is not None and asked:
        raise ConfigError("a model finds its own places and takes no --site")
    return site


# --- varying ---------------------------------------------------------------------------------------------


async def _asked(session: Session, wanted: _Wanted, *, weak: bool) -> _Found:
    """What models make of the function, asked once for each variation that is wanted."""
    drawn = Entropy(wanted.seed, "mutate").sample(tuple(FORMS), len(FORMS), "forms")
    forms = [wanted.operator or drawn[number % len(drawn)] for number in range(wanted.count)]
    seen = {fingerprint(wanted.view().code)}
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
    """The run that would ask so often, about this file alone."""
    wish = wish_of(session, FunctionAsked(f"{wanted.path}:{wanted.function}", packages=wanted.packages))
    search = Search(weak=weak, models=True, routes=wanted.routes)
    return function_plan(
        session, replace(wish, files=()), evolve_settings(session.loaded.settings), search, wanted.seed
    )


async def _found(session: Session, wanted: _Wanted, *, weak: bool) -> _Found:
    """As many different variations as are wanted, or as there are."""
    if wanted.routes:
        raise ConfigError("--route chooses among models, and none is asked; add --models")
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
    """Variations by drawn operators, or by the one that is asked for; some of them twice, and an end to it."""
    for attempt in range(ROUNDS + 4 * wanted.count):
        entropy = Entropy(wanted.seed, "mutate", attempt)
        for name in [wanted.operator] if wanted.operator is not None else _in_turn(entropy):
            made = vary(view, OPERATORS[name], entropy.child(name), wanted.site)
            if made is not None and wanted.site in (None, made.site):
                yield made
                break


def _in_turn(entropy: Entropy) -> Iterator[str]:
    """Every operator in random order, heavier ones rather earlier."""
    left = sorted(OPERATORS)
    while left:
        yield left.pop(entropy.weighted([OPERATORS[name].weight for name in left], "operator", len(left)))


async def _from_library(session: Session, wanted: _Wanted, *, weak: bool) -> AsyncIterator[Variation]:
    """Uses of the standard library that do what blocks of the function were seen to do, by a fabric's workers."""
    settings = session.loaded.settings
    wish = wish_of(session, FunctionAsked(f"{wanted.path}:{wanted.function}", "opcodes", packages=wanted.packages))
    run = run_plan(drafted(wish, scrubber(settings)), wanted.seed, Search(weak=weak))
    async with open_run_fabric(settings, allow_weak=weak) as fabric:
        if weak:
            session.warn_if_weak(await fabric.isolation())
        uses = await library_uses(run, fabric, session.announce)
    for use in Entropy(wanted.seed, "mutate").sample(uses, len(uses), "library"):
        yield Variation(Code(use.text, str(wanted.path)), LIBRARY, "plain", use.note)


# --- telling ---------------------------------------------------------------------------------------------


def _tell(session: Session, wanted: _Wanted, found: _Found, *, json: bool) -> None:
    told = [_told(wanted, made) for made in found.made]
    if json:
        head = {"file": str(wanted.path), "function": wanted.function, "seed": wanted.seed}
        by_model = [each.json() for each in found.replies[: len(told)]] if wanted.asks else [{} for _ in told]
        variations = [{**each, **reply} for each, reply in zip(told, by_model, strict=True)]
        session.answer({**head, "variations": variations, **(_asking(found.replies) if wanted.asks else {})})
        return
    for each in told:
        # As it is, tabs and all: it is to be applied. What stands before the first header is nothing to git.
        sys.stdout.write(f"{each['operator']} ({each['site']}): {each['note']}\n{each['patch']}")
    sys.stdout.flush()
    for reply in found.replies[len(told) :]:
        session.announce(f"{reply.route or 'nobody'}, {reply.operator}: {_why_not(reply)}")
    if wanted.asks:
        session.announce(asking_once.told(found.replies))
    elif len(told) < wanted.count:
        session.announce(_few(wanted, len(told)))
    session.announce(f"seed {wanted.seed}")


def _asking(replies: Sequence[Reply]) -> dict[str, object]:
    """What all questions came to, for machines."""
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
    """The mark of order of bytes that the file begins with; nothing, if it has none."""
    return _BOM if path.read_bytes().startswith(_BOM) else b""


def _write(session: Session, wanted: _Wanted, made: Variation, out: Path) -> None:
    try:
        out.write_bytes(_mark(wanted.path) + made.code.text.encode())
    except OSError as error:
        raise StorageError(f"{out} cannot be written: {error.strerror}") from error
    session.announce(f"wrote {out}")
