"""Every attack of the corpus against the native sandbox, and against what is left of it without what stops the attack.

Here, by one way in, all of it; by the other and with walls lifted, a sample. `make hostile` runs everything.
"""

from __future__ import annotations

import asyncio
import os
import shutil

import pytest
from tests.hostile.lifting import NoOuterWorld, lifted
from tests.support import skip_or_fail

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.hostile import Attack, Met, attacks, run_attacks
from mendel.conformance.hostile.corpus import load
from mendel.contracts.errors import SandboxUnavailable

CORPUS = attacks()
ALL = os.environ.get("MENDEL_TEST_HOSTILE") == "all"
WAYS = {"bubblewrap": True, "our own launcher": False}
FIRST_WAY = "bubblewrap" if shutil.which("bwrap") else "our own launcher"
LEAST_CORPUS = 80
MOST_NEVER_LIFTED = 6


def sampled(corpus: tuple[Attack, ...]) -> list[Attack]:
    """One attack for each proof and way of lifting it; the whole corpus where all of it is asked for."""
    if ALL:
        return list(corpus)
    first: dict[tuple[object, ...], Attack] = {}
    for attack in corpus:
        first.setdefault((attack.proof, attack.lift, bool(attack.lift_limits)), attack)
    return list(first.values())


def cases(corpus: list[Attack] | tuple[Attack, ...], group: str) -> list[object]:
    return [
        pytest.param(attack, id=attack.name, marks=pytest.mark.xdist_group(f"hostile {group}")) for attack in corpus
    ]


def chosen(request: pytest.FixtureRequest, test: str) -> list[Attack]:
    """The attacks for which that test was selected, so that they can be run together."""
    items = (item for item in request.session.items if getattr(item, "originalname", "") == test)
    return [item.callspec.params["attack"] for item in items]  # type: ignore[attr-defined]


def all_met(corpus: list[Attack], *, use_bubblewrap: bool) -> dict[str, Met]:
    async def meet() -> dict[str, Met]:
        async with NativeSandbox(workers=2, use_bubblewrap=use_bubblewrap) as sandbox:
            return {met.name: met async for met in run_attacks(sandbox, corpus)}

    try:
        return asyncio.run(meet())
    except SandboxUnavailable as unavailable:
        skip_or_fail(str(unavailable))
        raise


@pytest.fixture(scope="module")
def met_first(request):
    return all_met(chosen(request, "test_the_sandbox_holds"), use_bubblewrap=WAYS[FIRST_WAY])


@pytest.fixture(scope="module")
def met_otherwise(request):
    if FIRST_WAY != "bubblewrap":
        skip_or_fail("there is no second way in without bubblewrap: apt install bubblewrap")
    return all_met(chosen(request, "test_the_sandbox_holds_by_our_own_launcher"), use_bubblewrap=False)


@pytest.fixture(scope="module")
def met_lifted(request):
    try:
        return {met.name: met for met in lifted(chosen(request, "test_the_attack_succeeds_once_its_wall_is_lifted"))}
    except NoOuterWorld as nowhere:
        skip_or_fail(str(nowhere))


@pytest.mark.parametrize("attack", cases(CORPUS, "standing"))
def test_the_sandbox_holds(attack, met_first):
    met = met_first[attack.name]
    assert (met.escaped, met.forged, met.disturbed) == ((), (), ())
    assert met.as_expected, f"{met.kind} ({met.error_code}): {met.message}, where {attack.expect} was expected"


@pytest.mark.parametrize("attack", cases(sampled(CORPUS), "standing"))
def test_the_sandbox_holds_by_our_own_launcher(attack, met_otherwise):
    assert met_otherwise[attack.name].held, met_otherwise[attack.name]


@pytest.mark.parametrize("attack", cases([attack for attack in sampled(CORPUS) if attack.liftable], "lifted"))
def test_the_attack_succeeds_once_its_wall_is_lifted(attack, met_lifted):
    assert met_lifted[attack.name].proved, met_lifted[attack.name]


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
        ('"""Tries."""\n' + HEADER.replace('"family"', '"colour"'), "'colour' that nobody reads"),
        ('"""Tries."""\n' + HEADER.replace('"family": "x", ', ""), "family"),
        ('"""Tries."""\n' + HEADER.replace('"secret"', '"luck"'), "nothing proves 'luck'"),
        ('"""Tries."""\n' + HEADER.replace('["value"]', '["fame"]'), "is none of"),
        ('"""Tries."""\n' + HEADER.replace('"lift": ["mount"]', '"lift": ["moat"]'), "no layer"),
        ('"""Tries."""\n' + HEADER.replace('"lift": ["mount"], ', ""), "what is lifted or why nothing can be"),
        ('"""Tries."""\n' + HEADER.replace('{"family"', '{"family": print("run!"), "f"'), "malformed"),
    ],
)
def test_a_file_that_is_no_attack_is_refused_and_never_run(tmp_path, source, complaint, capsys):
    (tmp_path / "attack.py").write_text(source)
    with pytest.raises(ValueError, match=complaint):
        load(tmp_path / "attack.py")
    assert capsys.readouterr().out == ""
