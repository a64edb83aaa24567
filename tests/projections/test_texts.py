"""A run of texts in the report that every domain's runs have: its own words and rows, and no claim it cannot make."""

from __future__ import annotations

from typing import Any, Self

from tests.projections.histories import folded
from tests.projections.report.stories import NICHE, Story

from mendel.bench.records import SourceContent, SourceTraits
from mendel.contracts.events import candidate, genome, run
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.domains.texts.front.report import ROWS
from mendel.domains.texts.models import TextExamined, TextTask, payload
from mendel.projections.report.claims import claim, run_json, times
from mendel.projections.report.page import bars, page
from mendel.projections.report.view import ReportFold, ReportView

PATH = "lib/sum.awk"
TASK = TextTask(
    path=PATH, files={PATH: "slow", "more": ""}, editable=(PATH,), language="AWK", run="awk", objective="speed"
)


class TextStory(Story):
    """Writes a run of texts down."""

    def began(self, **fields: Any) -> Self:
        told = TASK.model_copy(update=fields)
        config = RunConfig(domain="texts", problem="sum", rng_seed=7, domain_config=payload(told), niche=NICHE)
        self.add(run.RunConfigured(config=config, mendel_version="0")).taken_over()
        return self.add(run.RunStarted()).born(0, "slow")

    def born(self, number: int, text: str) -> Self:
        traits = payload(SourceTraits(files={PATH: text}, operator="text_line" if number else None))
        parents = ("genome-0",) if number else ()
        made = Genome(id=f"genome-{number}", birth=number, parents=parents, depth=len(parents), traits=traits)
        self.add(genome.GenomeSpawned(genome=made), genome_id=made.id)
        content = payload(SourceContent(fingerprint=f"print-{number}"))
        child = Candidate(id=f"candidate-{number}", genome_id=made.id, birth=number, content=content)
        return self.add(candidate.CandidateCreated(candidate=child), genome_id=made.id, candidate_id=child.id)

    def examined(self, number: int, gain: float, name: str = "speed") -> Self:
        found = TextExamined(passed=True, cases=8, right=8, gain=gain)
        return self.finds(number, "texts.examine", payload(found)).scores(number, gain, name)

    def adopted(self, number: int, **audit: Any) -> Self:
        data = {"agrees": True, "cases": 24, **audit}
        self.adopts(number).finds(number, "texts.audit", DomainPayload(domain="texts", kind="audited", data=data))
        return self.confirmed(number)


def told(story: TextStory) -> ReportView:
    return folded(ReportFold(ROWS), story.events)


TIMED = {"speedup": 4.0, "lower": 3.5, "upper": 4.5, "original_ms": 9.0, "samples": 5}


def faster() -> TextStory:
    return TextStory().began().examined(0, 0.0).born(1, "fast").examined(1, 2.0)


def test_a_winner_is_told_with_what_its_audit_found():
    view = told(faster().adopted(1, sizes=[TIMED]).is_over())
    assert (view.domain, view.original, view.paths) == ("texts", {PATH: "slow"}, {PATH: PATH})
    assert (view.task.main, view.task.function, view.task.name) == (PATH, None, "sum.awk")
    assert claim(view).title == f"{times(4.0)} faster"
    assert claim(view).sentence.startswith(f"The new sum.awk is {times(4.0)} as fast as the original (95% interval")
    assert "answers in all 210 held-out cases" in claim(view).sentence
    summary = run_json(view)
    assert summary["speedup"] == {"size": None, "estimate": 4.0, "lower": 3.5, "upper": 4.5}
    assert summary["winner"]["gate"]["differing_at_most"] == 0.0198
    assert summary["counts"]["examined"] == 2
    html = page(view)
    assert "Speed-up</h2>" in html
    assert "Original takes" in html
    for unsaid in ("Sizes", ">size<", 'scope="col">Size', "size of the input"):
        assert unsaid not in html, unsaid


def test_where_scores_were_compared_nothing_is_claimed_about_the_same_answers():
    story = TextStory().began(objective="score").examined(0, 5.0, "score").born(1, "fast").examined(1, 7.0, "score")
    view = told(story.adopted(1, gains={"score": 2.0}).is_over())
    assert "same answers" not in claim(view).sentence
    assert run_json(view)["winner"]["gate"]["differing_at_most"] is None
    assert "scored better than the original" in page(view)


def test_audits_of_older_logs_are_read_as_those_of_today():
    unscored = told(faster().adopted(1, detail="", **TIMED, gain=None).is_over())
    assert unscored == told(faster().adopted(1, sizes=[TIMED]).is_over())
    untimed = {"speedup": None, "lower": None, "upper": None, "original_ms": 0.0, "samples": 0}
    scored = told(faster().adopted(1, detail="", **untimed, gain=2.0).is_over())
    assert scored == told(faster().adopted(1, gains={"score": 2.0}).is_over())
    assert [audit.gains for audit in scored.winner.audits] == [{"score": 2.0}]


def test_candidates_end_in_the_words_of_texts():
    story = TextStory().began().examined(0, 0.0).born(1, "slow ").born(2, "wrong")
    story.of_candidate(1, candidate.CandidateInvalidated(reason="the same text as candidate-0")).is_out(
        2, "property", "no number"
    )
    counts = told(story).counts
    assert (counts.duplicates, counts.fell) == (1, {"property": 1})
    assert [bar.label for bar in bars(counts, told(story).words)][:2] == [
        "the same text as another",
        "its output has no score",
    ]
