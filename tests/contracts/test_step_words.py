"""What a domain calls its steps: words, roles and event aliases, and what is shown where it says nothing."""

from typing import get_args

import pytest
from pydantic import ValidationError
from tests.projections.histories import WORDING, History
from tests.support.rows import check_rows

from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationKind
from mendel.contracts.step_words import NO_WORDS, StepWords, alias_of, aliased, phase_alias, role_of, word_of
from mendel.kernel.loading import load_domain
from mendel.ports.registration import find_registration


def test_an_event_carries_the_alias_beside_its_type_and_stays_as_it_is_in_the_log():
    history = History().created(0).operation(1, step="sample.novelty").completed(1, "sample.novelty", degraded=True)
    created, started, ended = history.events
    assert aliased(WORDING, created) is created
    assert aliased(WORDING, started) is started, "only its degraded end has an alias"
    told = aliased(WORDING, ended)
    assert (told.type, alias_of(told)) == ("operation.completed", "novelty_scoring_degraded")
    shown = told.model_dump(mode="json")
    assert shown.pop("alias") == "novelty_scoring_degraded"
    assert Event.model_validate(shown) == ended
    assert aliased(NO_WORDS, ended) is ended


def test_the_alias_follows_the_phase():
    history = History().operation(1, step="sample.review").completed(1, "sample.review")
    history.operation(2, step="sample.review").failed(2, "sample.review")
    names = [alias_of(aliased(WORDING, event)) for event in history.events]
    assert names == ["review.began", "critic.reviewed", "review.began", "review.broken"]
    assert phase_alias(WORDING, "sample.review", "degraded") is None


@check_rows("kind", get_args(OperationKind))
def test_without_words_a_step_goes_by_its_name_and_its_kind(kind):
    assert word_of(NO_WORDS, "sample.judge") == "sample.judge"
    assert role_of(NO_WORDS, "sample.judge", kind) == ("check" if kind in ("examine", "challenge") else None)


@check_rows("alias", ["", "Shouted", "two words", "a\nb", "<b>"])
def test_an_alias_is_spelled_like_the_type_of_an_event(alias):
    with pytest.raises(ValidationError):
        StepWords(step="sample.look", word="looking", completed=alias)


@pytest.mark.parametrize("name", ["programs", "texts"])
def test_every_step_of_a_domain_has_a_word(name):
    assert {each.step for each in find_registration(name).steps} == set(load_domain(name).steps)
