"""A run for machines and for a terminal."""

import dataclasses
import json

import pytest
from tests.guard.test_page import plain
from tests.projections.histories import folded, whole_run
from tests.projections.report.stories import (
    HALVED,
    PATH,
    SIZES,
    WINNER,
    Story,
    comparing,
    falling,
    losing,
    task,
    winning,
)
from tests.support.rows import check_rows

from mendel.bench.records import Audited
from mendel.contracts.events.energy import LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.run import RunCapReached
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, ProviderMeta
from mendel.contracts.verdicts import Decision, Reason
from mendel.domains.programs.front.report import ROWS
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload
from mendel.projections.report.claims import SCHEMA, between, claim, gained, headline, run_json, times
from mendel.projections.report.models import no_rows
from mendel.projections.report.page import page
from mendel.projections.report.view import ReportFold

KEYS = [
    *(
        "schema",
        "run_id",
        "status",
        "ended",
        "started_at",
        "seed",
        "selector",
        "alpha",
        "adopted",
        "headline",
        "replay",
    ),
    *(
        "task",
        "speedup",
        "winner",
        "rejected",
        "challenges",
        "lineage",
        "curve",
        "counts",
        "failed_steps",
        "closed_niches",
        "operators",
        "cost",
        "front",
        "calls",
        "capped",
    ),
    *("original_fell", "original_total", "best", "champion_before", "niches", "best_of_n"),
]


def view(story):
    return folded(ReportFold(ROWS), story.events)


def begun(**changes):
    return Story().begins(task(**changes) if changes else None).founds().passes(0, 0.0)


def answered_by(model):
    return ProviderMeta(provider="pea", model_id=model, tokens_in=30, tokens_out=20, cost_microusd=5)


def capped(cap, limit, *, reason):
    return begun().add(RunCapReached(cap=cap, limit=limit, used=limit - 1, detail="full")).is_over(reason)


class TestJson:
    @check_rows("story", [winning, losing, whole_run, begun])
    def test_keys_are_the_same_whatever_happened(self, story):
        told = run_json(view(story()))
        assert list(told) == KEYS
        assert all(key in run_json.__doc__ for key in KEYS)
        assert json.loads(json.dumps(told, allow_nan=False)) == told

    def test_the_winner_with_its_evidence(self):
        told = run_json(view(winning()))
        assert (told["schema"], told["adopted"], told["status"]) == (SCHEMA, True, "completed")
        assert told["speedup"] == {"size": 400, "estimate": 512.4, "lower": 488.1, "upper": 537.9}
        assert told["winner"]["files"] == {"bad_sort.py": WINNER}
        gate = told["winner"]["gate"]
        assert (gate["decision"], gate["n"], gate["k"], gate["differing_at_most"]) == ("adopt", 210, 3, 0.0198)
        assert gate["time"]["lower"] == pytest.approx(40)
        assert [each["size"] for each in told["winner"]["audits"][0]["sizes"]] == [50, 400]
        assert told["replay"] == f"mendel replay {told['run_id']}"

    def test_no_winner(self):
        told = run_json(view(losing()))
        assert (told["adopted"], told["winner"], told["speedup"]) == (False, None, None)
        assert (told["rejected"]["by"], told["rejected"]["reasons"][0]["code"]) == ("audit", "revoked")

    def test_an_original_that_fell(self):
        told = run_json(view(falling()))
        assert told["rejected"] is None
        assert [each["code"] for each in told["original_fell"]] == ["property"]
        assert told["headline"].endswith("score: it raises TypeError about an answer")
        assert run_json(view(losing()))["original_fell"] == []

    def test_births_that_failed_with_their_reasons(self):
        story = (
            begun()
            .fails_to_breed(1)
            .raises_in_breeding(2, "key_error", "'x'")
            .raises_in_breeding(3, "key_error", "'x'")
        )
        counts = run_json(view(story))["counts"]
        assert counts["barren"] == 3
        assert list(counts["failures"].items()) == [("key_error: 'x'", 2), ("It could not.", 1)]

    def test_what_each_source_of_models_was_asked(self):
        source = Source(name="pea_sweet", route=ModelRoute(provider="pea", model_id="sweet"))
        plan = ModelPlan(roles={"mutator": RolePlan(sources=(source,))})
        story = Story().begins(models=plan).founds().passes(0, 0.0)
        sweet, dry = answered_by("sweet"), answered_by("dry")
        story.add(LlmCallTelemetry(role="mutator", provider=sweet, validation="accepted"))
        story.add(ProviderCallFailed(role="mutator", attempt=1, reason="timeout", message="late", provider=sweet))
        story.add(LlmCallTelemetry(role="mutator", provider=dry, validation="rejected"))
        used = {"tokens_in": 30, "tokens_out": 20, "cost_microusd": 5}
        assert run_json(view(story))["calls"] == [
            {"name": "pea_sweet", "role": "mutator", "route": "pea/sweet", "calls": 2, "failed": 1}
            | {name: 2 * amount for name, amount in used.items()},
            {"name": None, "role": "mutator", "route": "pea/dry", "calls": 1, "failed": 0} | used,
        ]
        assert run_json(view(winning()))["calls"] == []

    def test_best_of_n_beside_it(self):
        beside = run_json(view(winning()), view(losing()))["best_of_n"]
        assert (beside["adopted"], beside["best"], beside["cost"]["examined"]) == (False, 7.0, 3)

    def test_best_of_n_that_was_not_gated_says_what_it_found(self):
        beside = run_json(view(winning()), view(comparing()))["best_of_n"]
        assert beside["found"] == {"total": 6.8, "factor": 2.0**6.8, "measured_by": "search", "gated": False}
        assert "No improvement" not in beside["headline"]
        assert run_json(view(winning()), view(losing()))["best_of_n"]["found"]["gated"] is True


class TestHeadline:
    def test_best_of_n_says_what_its_search_found(self):
        lines = plain(headline(view(winning()), view(comparing()))).split("\n")
        assert "Plain best-of-N, for comparison: 111x in the search, not put before the gate." in lines
        none = plain(headline(view(winning()), view(comparing(-0.1))))
        assert "Nothing better in the search, not put before the gate." in none

    @pytest.mark.parametrize(
        ("cap", "limit", "said"),
        [("max_tokens", 20_000, "20,000 tokens (--max-tokens)"), ("max_cost_microusd", 5_000, "$0.005 (--max-cost)")],
    )
    def test_that_models_may_take_no_more_is_said_in_words(self, cap, limit, said):
        told = view(capped(cap, limit, reason=f"{cap} reached: programs.ask at its worst does not fit any more"))
        assert f"It ended because models may use at most {said}" in headline(told)
        assert run_json(told)["capped"] == {"cap": cap, "limit": limit, "used": limit - 1}

    def test_a_cap_that_did_not_end_the_run_is_not_blamed(self):
        told = view(capped("max_tokens", 20_000, reason="stopped after 60 s"))
        assert "It ended because" not in headline(told)
        assert run_json(told)["capped"] is None
        other = view(capped("max_candidates", 9, reason="max_candidates reached: 9 of 9 candidates are bred"))
        assert "It ended because" not in headline(other)

    def test_adopted(self):
        lines = plain(headline(view(winning()))).split("\n")
        assert lines[0] == "512x faster"
        assert "size 400" in lines[1]
        assert "at most 1.98% of inputs differ" in lines[2]
        assert lines[-1].startswith("mendel replay ")

    def test_nothing_found(self):
        lines = plain(headline(view(losing()))).split("\n")
        assert lines[0] == "No improvement found"
        assert "birth 2, 128x in the search (adopted, then revoked by its audit): it did not hold" in lines[2]

    def test_an_original_that_fell_is_told_as_that(self):
        said = headline(view(falling()))
        lines = said.split("\n")
        assert lines[0] == "The original itself failed"
        assert lines[1].startswith("sort itself did not pass the examination")
        assert lines[1].endswith(": score: it raises TypeError about an answer")
        assert "rejected" not in said

    def test_an_original_that_fell_in_a_run_for_comparison_is_told_too(self):
        story = Story().begins(task(contends=False)).founds().falls(0, "property").is_over()
        assert claim(view(story)).title == "The original itself failed"

    def test_why_the_original_fell_moves_no_cursor(self):
        story = Story().begins().founds().falls(0, "property", detail="\x1b[2Jgone\nand more").is_over()
        assert "⟦U+001B⟧[2Jgone and more" in claim(view(story)).sentence

    def test_births_that_failed_are_told_with_the_reason(self):
        story = begun()
        for number in range(1, 4):
            story.raises_in_breeding(number, "key_error", "'x'")
        assert "3 of 4 births failed: key_error: 'x'" in headline(view(story.is_over())).split("\n")

    def test_of_several_reasons_the_most_frequent_is_told(self):
        story = begun().raises_in_breeding(1, "value_error", "\x1b[2Jno\nway").fails_to_breed(2).fails_to_breed(3)
        assert "3 of 4 births failed: 2 of them with It could not." in headline(view(story))
        story.raises_in_breeding(4, "value_error", "\x1b[2Jno\nway").raises_in_breeding(
            5, "value_error", "\x1b[2Jno way"
        )
        assert "3 of them with value_error: ⟦U+001B⟧[2Jno way" in headline(view(story))

    def test_where_no_birth_failed_nothing_is_said_of_it(self):
        assert "failed" not in headline(view(begun().breeds(1, HALVED).passes(1, 0.1).is_over()))

    def test_what_candidates_say_moves_no_cursor(self):
        why = (Reason(code="mismatch", message="\x1b[2Jgone\nand\u202e more"),)
        story = begun().breeds(1, HALVED).passes(1, 2.0).challenges(1, Decision.REJECT, reasons=why).is_over()
        said = headline(view(story))
        assert "⟦U+001B⟧[2Jgone and⟦U+202E⟧ more" in said
        assert "\x1b" not in said

    def test_an_adoption_whose_audit_is_not_over(self):
        assert "not confirmed yet" in headline(view(begun().breeds(1, WINNER).passes(1, 5.0).adopts(1)))


class TestWithoutAnOriginal:
    """Of a domain that says nothing of a task, with several founders."""

    def view(self, story):
        return folded(ReportFold(no_rows("programs")), story.events)

    def founded(self, *gains):
        story = Story().begins()
        for number, gain in enumerate(gains):
            story.births(number, ProgramTraits(files={PATH: f"{number}"}))
            if gain is None:
                story.is_out(number, "small", "too weak")
            else:
                story.scores(number, gain)
        return story

    def test_that_every_founder_fell_is_no_word_about_an_original(self):
        told = self.view(self.founded(None, None, None).is_over())
        said = claim(told)
        assert said.title == "Every founder failed"
        assert said.sentence == (
            "None of 3 founders passed the examination, so that nothing could be bred from them: too weak"
        )
        assert "Why the founders failed" in page(told)

    def test_that_the_first_of_several_fell_is_not_the_end(self):
        assert claim(self.view(self.founded(None, 1.0).is_over())).title == "No improvement found"

    def test_neither_gate_nor_audit_compared_with_an_original(self):
        story = self.founded(0.0, 0.0).breeds(2, WINNER).scores(2, 4.0, "taste").adopts(2)
        story.finds(2, "programs.audit", payload(Audited(agrees=True, cases=100))).confirmed(2)
        rows = dataclasses.replace(ROWS, row=lambda model: None if isinstance(model, ProgramTask) else ROWS.row(model))
        told = folded(ReportFold(rows), story.is_over().events)
        assert told.winner.audits
        text = page(told)
        assert "it held." in text
        assert "the original" not in f"{text.partition('</style>')[2]}{headline(told)}"
        waiting = self.view(self.founded(0.0, 0.0).breeds(1, HALVED).scores(1, 0.1).is_over())
        assert "It was not enough ahead for a challenge" in headline(waiting)


def test_a_challenge_that_failed_is_not_called_the_gates_refusal():
    told = view(begun().breeds(1, HALVED).passes(1, 2.0).fails_to_challenge(1).is_over())
    assert "(its challenge failed): It could not." in headline(told)
    assert "1 of 1 operations of programs.challenge failed: It could not." in headline(told).split("\n")
    assert (run_json(told)["rejected"]["by"], "refused by the gate" in page(told)) == ("challenge", False)


class TestClaims:
    def test_no_speed_is_claimed_that_the_interval_does_not_bear(self):
        slow = (SIZES[1].model_copy(update={"speedup": 1.1, "lower": 0.9, "upper": 1.3}),)
        said = claim(view(begun().breeds(1, WINNER).passes(1, 5.0).adopts(1).audits(1, sizes=slow).confirmed(1)))
        assert said.title == "Adopted, but not shown to be faster"
        assert (said.state, said.basis) == ("adopted", "audit")

    def test_what_it_rests_on(self):
        adopted = begun().breeds(1, WINNER).passes(1, 5.0)
        assert claim(view(adopted)).basis == "none"
        assert claim(view(adopted.adopts(1))).basis == "gate"
        assert claim(view(adopted.audits(1))).basis == "audit"

    def test_a_score_of_the_users_own_is_no_factor(self):
        story = begun(objectives={"score": 1.0}).breeds(1, WINNER).scores(1, 2.635, "score").adopts(1, metrics={})
        said = claim(view(story))
        assert (said.title, said.basis) == ("Better", "search")
        assert "scores 2.635" in said.sentence
        assert gained(2.635, view(story).task) == "2.635"

    @check_rows(
        ("audited", "more"),
        [(None, "."), ({"score": 0.5}, "; in the audit its score is 0.5 more than the original's.")],
    )
    def test_of_several_objectives_without_factors_the_fitness_is_told_with_its_parts(self, audited, more):
        story = begun(objectives={"score": 1.0}).breeds(1, WINNER).gains(1, score=9.996, height=-0.518)
        story.adopts(1, metrics={}).audits(1, sizes=(), **audited or {}).confirmed(1)
        told = view(story)
        told = told.model_copy(update={"task": told.task.model_copy(update={"objectives": {"score": 2, "height": 1}})})
        said = claim(told).sentence
        assert f"reaches a fitness of 9.478 in the search (score 9.996, height \N{MINUS SIGN}0.518){more}" in said

    @check_rows(
        ("objective", "audited", "title", "sentence", "basis"),
        [
            ("opcodes", 2.0, "4.00x fewer opcodes", "On held-out inputs the new sort is 4.00x as economical", "audit"),
            ("memory", 1.0, "2.00x less memory", "On held-out inputs the new sort is 2.00x as memory-eff", "audit"),
            ("opcodes", None, "8.00x fewer opcodes", "as the search measured it", "search"),
            ("size", None, "8.00x smaller", "as small as the original, counted in nodes of its syntax", "search"),
            ("score", 0.5, "Better", "scores 3 in the search, 0.5 more than the original in the audit", "audit"),
        ],
    )
    def test_what_needs_no_clock_is_the_audits_where_that_measured_it(self, objective, audited, title, sentence, basis):
        gains = {} if audited is None else {objective: audited}
        story = begun(objectives={objective: 1.0}).breeds(1, WINNER).scores(1, 3.0, objective).adopts(1, metrics={})
        said = claim(view(story.audits(1, sizes=(), **gains).confirmed(1)))
        assert (plain(said.title), said.basis) == (title, basis)
        assert sentence in plain(said.sentence)

    def test_a_function_without_arguments_has_no_size_that_nobody_saw(self):
        story = begun(inputs={"parameters": []}).breeds(1, WINNER).passes(1, 5.0).adopts(1).audits(1).confirmed(1)
        assert "never saw" not in claim(view(story)).sentence
        assert claim(view(story)).sentence.startswith("The new sort is 512")

    def test_one_candidate_is_not_several(self):
        assert "1 candidate was examined" in claim(view(begun().is_over())).sentence
        assert "1 birth, 1 examined" in headline(view(begun().is_over()))

    def test_a_run_that_is_not_over_has_found_nothing_yet(self):
        assert claim(view(begun())).state == "open"
        assert claim(view(begun().is_over())).state == "nothing"

    @check_rows(
        ("value", "said"),
        [(None, "-"), (0.0012, "0.0012x"), (0.5, "0.50x"), (9.876, "9.88x"), (38.24, "38.2x"), (2140.3, "2,140x")],
    )
    def test_factors(self, value, said):
        assert plain(times(value)) == said

    def test_bounds_that_are_not_there(self):
        assert plain(between(2.0, None)) == "at least 2.00x"
        assert plain(between(None, 3.0)) == "at most 3.00x"
