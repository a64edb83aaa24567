"""Plans of models: who may play a role, who may be chosen instead, and what a question takes at worst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import Capabilities, ModelRoute, Price


def source(model="m", price=0):
    route = ModelRoute(provider="p", model_id=model)
    return Source(name=f"p_{model}", route=route, price=Price(input_microusd=price, output_microusd=2 * price))


@given(st.integers(0, 10), st.booleans(), st.integers(1, 10**6), st.integers(1, 10**5))
def test_a_question_takes_at_worst_every_attempt_at_full_size(retries, fallback, prompt, out):
    role = RolePlan(
        sources=(source(price=3),),
        fallback=source("other", 5) if fallback else None,
        retries=retries,
        limits=CallLimits(prompt_bytes=prompt, tokens_out=out),
    )
    attempts = 2 * (1 + retries + fallback)
    dearest = Price(input_microusd=5, output_microusd=10) if fallback else Price(input_microusd=3, output_microusd=6)
    assert role.attempts == attempts
    assert role.worst() == Usage(
        tokens_in=attempts * prompt, tokens_out=attempts * out, cost_microusd=attempts * dearest.of(prompt, out)
    )


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**8), st.integers(0, 10**8))
def test_a_price_rounds_up_and_never_below_the_parts(tokens_in, tokens_out, dear_in, dear_out):
    price = Price(input_microusd=dear_in, output_microusd=dear_out)
    exact = tokens_in * dear_in + tokens_out * dear_out
    assert (price.of(tokens_in, tokens_out) - 1) * 1_000_000 < exact <= price.of(tokens_in, tokens_out) * 1_000_000


def test_who_plays_no_role_takes_nothing():
    assert ModelPlan().worst("critic") == Usage()


def test_questions_add_up():
    plan = ModelPlan(roles={"mutator": RolePlan(sources=(source(price=7),))})
    one = plan.worst("mutator")
    assert plan.worst("mutator", 3).tokens_in == 3 * one.tokens_in
    assert plan.worst("mutator", 3).cost_microusd == 3 * one.cost_microusd


@given(st.integers(0, 10**15), st.integers(0, 2**53 - 1))
def test_no_price_and_no_number_of_questions_is_too_large_to_be_told(price, questions):
    plan = ModelPlan(roles={"mutator": RolePlan(sources=(source(price=price),), retries=10)})
    one, many = plan.roles["mutator"].worst(), plan.worst("mutator", questions)
    assert many.cost_microusd == min(MAX_USAGE, one.cost_microusd * questions)
    assert many.tokens_in == min(MAX_USAGE, one.tokens_in * questions)


def test_vectors_are_neither_repaired_nor_asked_of_another_and_have_no_tokens():
    embedding = source(price=1_000_000).model_copy(update={"capabilities": Capabilities(embeddings=True)})
    role = RolePlan(sources=(embedding,), fallback=source("other"), retries=2, limits=CallLimits(prompt_bytes=100))
    assert (role.embeds, role.attempts) == (True, 3)
    assert role.worst() == Usage(tokens_in=300, cost_microusd=300)


def test_a_run_may_choose_from_the_allowed_and_keeps_the_limits():
    role = RolePlan(sources=(source(),), retries=5, limits=CallLimits(tokens_out=9))
    plan = ModelPlan(roles={"mutator": role}, overridable={"mutator": (source("other"),)})
    chosen = plan.overridden({"mutator": ModelRoute(provider="p", model_id="other")}).roles["mutator"]
    assert [each.route.model_id for each in chosen.sources] == ["other"]
    assert (chosen.retries, chosen.limits.tokens_out) == (5, 9)
    with pytest.raises(ValueError, match="a run may not choose p/third for mutator; it may choose p/other"):
        plan.overridden({"mutator": ModelRoute(provider="p", model_id="third")})


@pytest.mark.parametrize("judge", ["final_judge", "audit_judge"])
def test_no_judge_can_be_chosen(judge):
    with pytest.raises(ValidationError, match=f"a run may not choose the model of {judge}"):
        ModelPlan(overridable={judge: (source(),)})
    with pytest.raises(ValueError, match="may not choose"):
        ModelPlan(roles={judge: RolePlan(sources=(source(),))}).overridden({judge: source("x").route})


def test_a_plan_knows_sources_fallbacks_and_what_may_be_chosen_and_nobody_else():
    role = RolePlan(sources=(source(),), fallback=source("second"))
    plan = ModelPlan(roles={"mutator": role}, overridable={"mutator": (source("third"),)})
    assert all(plan.knows("mutator", source(each)) for each in ("m", "second", "third"))
    assert not plan.knows("mutator", source("fourth"))
    assert not plan.knows("critic", source())


def test_what_a_plan_says_of_some_roles_is_all_that_is_left():
    plays = RolePlan(sources=(source(),))
    plan = ModelPlan(roles={"mutator": plays, "critic": plays}, overridable={"mutator": (source("other"),)})
    assert plan.only({"mutator"}) == ModelPlan(roles={"mutator": plays}, overridable={"mutator": (source("other"),)})
    assert plan.only({"critic", "coder"}) == ModelPlan(roles={"critic": plays})
    assert plan.only(()) == ModelPlan()


def test_two_sources_of_one_name_are_refused():
    with pytest.raises(ValidationError, match="have different names"):
        RolePlan(sources=(source(), source()))
