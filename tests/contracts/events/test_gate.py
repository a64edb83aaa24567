"""Rule 10, and rule 3: what may be adopted."""

import pytest
from pydantic import ValidationError
from tests.contracts.examples import UUID, make_verdict
from tests.support.rows import check_rows

from mendel.contracts.events.gate import AdoptionMade
from mendel.contracts.verdicts import Decision, Verdict


def adoption(verdict, **changes):
    fields = {
        "niche": "sample:sort",
        "candidate_id": "candidate-1",
        "verdict_event_id": UUID,
        "verdict": verdict,
    }
    return AdoptionMade.model_validate(fields | changes)


def test_an_adoption_carries_the_verdict_that_let_it_in():
    assert adoption(make_verdict()).verdict.decision is Decision.ADOPT


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.UNDECIDED])
def test_any_other_decision_adopts_nothing(decision):
    with pytest.raises(ValidationError, match="rule 10"):
        adoption(make_verdict(decision=decision))


def test_a_verdict_about_another_candidate_adopts_nothing():
    with pytest.raises(ValidationError, match="another candidate or niche"):
        adoption(make_verdict(candidate_id="candidate-2"))


def test_a_verdict_for_another_niche_adopts_nothing():
    with pytest.raises(ValidationError, match="another candidate or niche"):
        adoption(make_verdict(niche="sample:search"))


@pytest.mark.parametrize("field", ["verdict", "verdict_event_id"])
def test_there_is_no_adoption_without_a_verdict(field):
    fields = adoption(make_verdict()).model_dump(mode="json", by_alias=True)
    del fields[field]
    with pytest.raises(ValidationError, match=field):
        AdoptionMade.model_validate(fields)
    with pytest.raises(ValidationError, match=field):
        AdoptionMade.model_validate(fields | {field: None})


def test_nothing_seen_under_a_weakened_sandbox_is_adopted():
    with pytest.raises(ValidationError, match="rule 3"):
        make_verdict(weakened=True)


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.UNDECIDED])
def test_a_weakened_sandbox_may_still_reject(decision):
    assert make_verdict(decision=decision, weakened=True).decision is decision


def test_a_weakened_verdict_slipped_past_its_own_check_is_caught_when_it_is_stored():
    honest = make_verdict(decision=Decision.REJECT, weakened=True)
    forged = honest.model_copy(update={"decision": Decision.ADOPT})
    stored = AdoptionMade.model_construct(
        niche="sample:sort", candidate_id="candidate-1", replaces=None, verdict_event_id=UUID, verdict=forged
    ).model_dump(mode="json", by_alias=True)
    with pytest.raises(ValidationError, match="rule 3"):
        AdoptionMade.model_validate(stored)
    with pytest.raises(ValidationError, match="rule 3"):
        Verdict.model_validate(forged.model_dump(mode="json", by_alias=True))


@check_rows(("field", "value"), [("k", 0), ("k", -1), ("alpha", 1.1), ("alpha", -0.1), ("niche", "")])
def test_a_challenge_counts_from_one_and_spends_a_share(field, value):
    verdict = make_verdict().model_dump(mode="json", by_alias=True)
    verdict["challenge"][field] = value
    with pytest.raises(ValidationError, match=field):
        Verdict.model_validate(verdict)


def test_a_verdict_gives_its_reasons():
    verdict = make_verdict().model_dump(mode="json", by_alias=True)
    with pytest.raises(ValidationError, match="reasons"):
        Verdict.model_validate(verdict | {"reasons": []})
