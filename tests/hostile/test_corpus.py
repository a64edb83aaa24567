"""Every attack of the corpus against the native sandbox, and against what is left of it without what stops the attack.

Here, by one way in, all of it, family by family in one sandbox that has to outlive them; by the other and with walls
lifted, a sample. `make hostile` runs everything.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.hostile.lifting import NoOuterWorld, lifted
from tests.support import skip_or_fail

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.hostile import Attack, Met, Targets, attacks, run_attacks, targets
from mendel.conformance.hostile.corpus import load
from mendel.contracts.errors import SandboxUnavailable

CORPUS = attacks()
FAMILIES = sorted({attack.family for attack in CORPUS})
ALL = os.environ.get("MENDEL_TEST_HOSTILE") == "all"
LEAST_CORPUS = 80
MOST_NEVER_LIFTED = 6
SHARES = 2
STARVING = {"neighbour"}
"""What proves that every processor was taken takes it from the tests beside this one, too; `make hostile` proves it."""

Meet = Callable[..., list[Met]]


def sampled(corpus: Iterable[Attack]) -> list[Attack]:
    """As few as show every family and every proof; all where all are asked for."""
    seen: set[str] = set()
    found = []
    for attack in corpus:
        if ALL or not {attack.family, attack.proof} <= seen:
            found.append(attack)
            seen |= {attack.family, attack.proof}
    return found


@pytest.fixture(scope="module")
def meet() -> Iterator[Meet]:
    """Runs attacks in sandboxes that stay, one by each way in; what they go for is there before the walls are."""
    stack = AsyncExitStack()
    aims: list[Targets] = []
    sandboxes: dict[bool, NativeSandbox] = {}

    async def met(corpus: Iterable[Attack], way: bool) -> list[Met]:
        if not aims:
            aims.append(await stack.enter_async_context(targets()))
        if way not in sandboxes:
            sandboxes[way] = await stack.enter_async_context(NativeSandbox(workers=2, use_bubblewrap=way))
        return [one async for one in run_attacks(sandboxes[way], corpus, given=aims[0])]

    def meeting(corpus: Iterable[Attack], *, use_bubblewrap: bool) -> list[Met]:
        try:
            return runner.run(met(corpus, use_bubblewrap))
        except SandboxUnavailable as unavailable:
            skip_or_fail(str(unavailable))

    with asyncio.Runner() as runner:
        yield meeting
        runner.run(stack.aclose())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_sandbox_holds(family, meet):
    corpus = attacks(only=[family])
    met = meet(corpus, use_bubblewrap=True)
    assert [one for one in met if not one.held] == []
    assert [one.name for one in met] == [attack.name for attack in corpus]


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_the_sandbox_holds_by_our_own_launcher(share, meet):
    if not shutil.which("bwrap"):
        pytest.skip("without bubblewrap the test above went this way")
    assert [met for met in meet(sampled(CORPUS)[share::SHARES], use_bubblewrap=False) if not met.held] == []


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_attacks_succeed_once_what_stops_them_is_lifted(share):
    harmless = (attack for attack in CORPUS if attack.liftable and (ALL or attack.proof not in STARVING))
    corpus = sampled(harmless)[share::SHARES]
    try:
        met = list(lifted(corpus))
    except NoOuterWorld as nowhere:
        skip_or_fail(str(nowhere))
    assert [one for one in met if not one.proved] == []
    assert {one.name for one in met} == {attack.name for attack in corpus}


# --- the corpus itself ---------------------------------------------------------------------------------------------


def test_the_corpus_is_large_and_nearly_all_of_it_is_proved_to_work():
    assert len(CORPUS) >= LEAST_CORPUS
    assert sum(not attack.liftable for attack in CORPUS) <= MOST_NEVER_LIFTED


def test_an_attack_is_found_by_name_and_by_family():
    assert [attack.name for attack in attacks(only=["read_secret"])] == ["read_secret"]
    assert {attack.family for attack in attacks(only=["network"])} == {"network"}
    with pytest.raises(ValueError, match="no attack or family is called 'nothing'"):
        attacks(only=["nothing"])


HEADER = (
    'ATTACK = {"family": "x", "stopped_by": ["mount"], "lift": ["mount"], "expect": ["value"], "proof": "secret"}\n'
)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (HEADER, "does not say in a docstring"),
        ('"""Tries."""\n', "has no header"),
        ('"""Tries."""\n' + HEADER.replace('"family"', '"colour"'), "unknown field 'colour'"),
        ('"""Tries."""\n' + HEADER.replace('"family": "x", ', ""), "family"),
        ('"""Tries."""\n' + HEADER.replace('"secret"', '"luck"'), "there is no proof 'luck'"),
        ('"""Tries."""\n' + HEADER.replace('["value"]', '["fame"]'), "must be one of"),
        ('"""Tries."""\n' + HEADER.replace('"lift": ["mount"]', '"lift": ["moat"]'), "neither a layer"),
        ('"""Tries."""\n' + HEADER.replace('"lift": ["mount"], ', ""), "either lift or never_lifted"),
        ('"""Tries."""\n' + HEADER.replace('{"family"', '{"family": print("run!"), "f"'), "malformed"),
    ],
)
def test_a_file_that_is_no_attack_is_refused_and_never_run(tmp_path, source, complaint, capsys):
    (tmp_path / "attack.py").write_text(source)
    with pytest.raises(ValueError, match=complaint):
        load(tmp_path / "attack.py")
    assert capsys.readouterr().out == ""
