"""The gate's page: everything is there, nothing of what programs said is more than text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from tests.support.rows import check_rows

from mendel.contracts.evaluations import Program
from mendel.contracts.verdicts import (
    Challenge,
    Decision,
    Interval,
    Look,
    MetricComparison,
    MetricSummary,
    Provenance,
    Reason,
    RelationComparison,
    SandboxProvenance,
    Verdict,
    Violation,
)
from mendel.guard import page as room
from mendel.guard.config import GuardConfig
from mendel.guard.implementation import Implementation
from mendel.guard.report import Report

INLINE = {"bdi", "code", "span", "strong"}
VOID = {"meta", "br", "link", "img", "input", "hr"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "div", "header", "main", "section", "article", "footer"),
    *("h1", "h2", "h3", "h4", "p", "span", "strong", "bdi", "code", "pre", "br", "ol", "ul", "li", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "details", "summary"),
    *("svg", "g", "line", "rect", "circle", "path", "text"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "title", "role", "tabindex", "scope"),
    *("aria-label", "aria-labelledby", "aria-hidden", "data-label", "width", "height", "viewbox", "overflow"),
    *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "text-anchor"),
}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</details></section></main></body>",
    "</pre></style></title><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "]]>--><!-- &lt; &#x3c;script&#x3e;",
    "javascript:alert(1)//url(http://evil.example/x)",
    "a\N{REPLACEMENT CHARACTER}b \N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} \N{ARABIC LETTER MEEM}",
    "L" + "o" * 5_000 + "ng",
    "many\n" * 400,
]


def plain(text):
    """With signs that a keyboard has."""
    return text.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-").replace("\N{MULTIPLICATION SIGN}", "x")


BARE = {"dl", "table", "thead", "tbody", "tr", "ul", "ol", "html"}
"""Elements that hold others, and no text of their own."""


class Reader(HTMLParser):
    """Reads strictly: what is opened is closed, in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.classes, self.ids, self.said = [], set(), [], set(), [], []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.part(tag)
        self.attributes += attrs
        self.classes |= set(dict(attrs).get("class", "").split())
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        self.part(tag)

    def part(self, tag):
        if tag not in INLINE:
            self.said.append(" ")

    def handle_data(self, data):
        if "style" not in self.open:
            self.said.append(data)
        if self.open and self.open[-1] in BARE:
            assert data.isspace(), f"{data!r} stands in <{self.open[-1]}>, in none of its parts"

    @property
    def text(self):
        return plain(" ".join("".join(self.said).split()))


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    assert reader.tags <= TAGS
    assert {name for name, _ in reader.attributes} <= ATTRIBUTES
    assert len(reader.ids) == len(set(reader.ids))
    assert "NaN" not in html
    places = [value for name, value in reader.attributes if name in {"x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r"}]
    assert all(re.fullmatch(r"-?\d+(\.\d+)?%?", place) for place in places), places
    return reader


def interval(name="pass_rate_difference", estimate=0.0333, lower=-0.0092, upper=0.0776, method="tango"):
    return Interval(name=name, estimate=estimate, lower=lower, upper=upper, alpha=0.05, method=method)


def metric(*, kind="mean", higher=True, better=0.001, worse=1.0, **delta):
    numbers = MetricSummary(n=9, mean=2.5, sum=22.5, median=2.0, stdev=0.5, min=1.0, max=4.0)
    return MetricComparison(
        kind=kind,
        higher_is_better=higher,
        n=9,
        baseline=numbers,
        candidate=numbers,
        delta=interval(name="value", method="student", **delta),
        effect_size=None if kind == "ratio" else 0.25,
        p_better=better,
        p_worse=worse,
    )


def provenance(**sandbox):
    walls = {"tier": "full", "backend": "native", "layers": ("pid", "net"), "fingerprint": "f" * 64, **sandbox}
    return Provenance(
        sandbox=SandboxProvenance(**walls),
        spec_hash="a" * 64,
        candidate_hash="b" * 64,
        baseline_hash="c" * 64,
        seeds={"seed": 42},
        versions={"python": "3.11.7"},
        platform="linux-x86_64",
    )


def verdict(**changes):
    values = {
        "candidate_id": "candidate:0123456789abcdef",
        "decision": Decision.ADOPT,
        "mode": "statistical",
        "policy": "noninferiority:margin=0.02",
        "challenge": Challenge(niche="guard:sums", k=3, alpha=0.05),
        "n": 400,
        "reasons": (Reason(code="noninferior", message="the pass rate differs by 3.33%"),),
        "provenance": provenance(),
    }
    return Verdict(**{**values, **changes})


def side(origin="sums.py:solve", source="def solve(x): return x\n"):
    return Implementation.of_program(Program({"candidate.py": source}, "candidate:solve"), origin)


def html(task="sums", *, candidate=None, config=None, **changes):
    report = Report(task, verdict(**changes), config or GuardConfig(), candidate or side(), side("base.py:solve"))
    return report.to_html()


class TestEveryPage:
    @check_rows("mode", ["exact", "statistical", "absolute"])
    @check_rows(("decision", "word"), [("adopt", "Adopted"), ("reject", "Rejected"), ("undecided", "Undecided")])
    def test_says_the_decision_in_words_and_in_colour(self, mode, decision, word):
        policy = "absolute:min_pass_rate=0.9" if mode == "absolute" else "noninferiority:margin=0.02"
        page = read(html(mode=mode, decision=Decision(decision), policy=policy))
        assert word in page.text
        assert decision in page.classes
        assert "the pass rate differs by 3.33%" in page.text
        assert "noninferior" in page.text

    def test_needs_nothing_from_anywhere(self):
        page = html()
        assert "default-src 'none'; style-src 'unsafe-inline'" in page
        for stranger in ("http:", "https:", "//", "url(", "@import", "<script", "<link", "<img", "src=", "href="):
            assert stranger not in page, stranger

    def test_follows_the_reader_into_the_dark_onto_paper_and_onto_a_phone(self):
        page = html()
        for rule in ("prefers-color-scheme: dark", "@media print", "max-width: 44rem", "width=device-width"):
            assert rule in page

    def test_says_what_it_was_made_from(self):
        text = read(html()).text
        for word in (
            "full, native",
            "pid",
            "net",
            "f" * 64,
            "a" * 64,
            "b" * 64,
            "c" * 64,
            "seed = 42",
            "python 3.11.7",
        ):
            assert word in text
        assert "linux-x86_64" in text
        assert "Challenge 3 of niche guard:sums" in text

    def test_has_both_sources_folded_and_says_how_to_see_it_again(self):
        page = read(html(candidate=side("better.py:solve", "def solve(x): return 'mine' < x\n")))
        assert "def solve(x): return 'mine' < x" in page.text
        assert "base.py:solve" in page.text
        assert "mendel guard replay report_….json" in page.text

    def test_leaves_out_what_there_is_not(self):
        ids = read(html()).ids
        assert ids == ["asked", "sources", "provenance", "replay"]

    def test_holds_no_baseline_where_there_was_none(self):
        report = Report("sums", verdict(mode="absolute", policy="absolute"), GuardConfig(), side())
        assert "Baseline" not in read(report.to_html()).text


class TestSections:
    def test_reasons_and_warnings_come_with_their_codes(self):
        reasons = (Reason(code="superior", message="faster"), Reason(code="no_mismatch", message="all agree"))
        page = read(html(reasons=reasons, warnings=(Reason(code="late_once", message="case 3 was late"),)))
        assert {"why", "warnings"} <= set(page.ids)
        for word in ("superior", "faster", "no_mismatch", "all agree", "late_once", "case 3 was late"):
            assert word in page.text

    def test_numbers_of_cases(self):
        text = read(html(decision=Decision.UNDECIDED, n=1200, n_to_decide=5000, config=GuardConfig(n=2000))).text
        assert "1,200 of at most 2,000" in text
        assert "Enough to decide 5,000 cases" in text

    def test_flakiness_and_a_weak_sandbox_are_said_aloud(self):
        text = read(html(decision=Decision.REJECT, flaky=True, provenance=provenance(tier="weak", weakened=True))).text
        assert "Flaky." in text
        assert "Weak sandbox." in text
        assert "Flaky." not in read(html()).text

    def test_missing_layers_come_with_their_reason(self):
        text = read(html(provenance=provenance(missing={"seccomp": "the kernel has none"}))).text
        assert "Missing: seccomp the kernel has none" in text

    def test_violations_stand_side_by_side(self):
        first = Violation(kind="mismatch", name="answer", case=7, input="x=1", expected="2", got="3", shrunk=True)
        second = Violation(kind="failure", name="SANDBOX_TIMEOUT", side="baseline", case=8, arguments=[1, [2]])
        text = read(html(decision=Decision.REJECT, violations=(first, second))).text
        assert "Input x=1 Expected 2 Got 3" in text
        assert "minimal input" in text
        assert "1 more" in text
        assert "against the baseline" in text
        assert "[1, [2]]" in text

    def test_long_values_are_folded(self):
        long = Violation(kind="mismatch", name="answer", case=7, input="9" * 2_000, expected="2", got="3")
        page = html(violations=(long,))
        assert "2,000 characters" in read(page).text
        assert page.count('<details class="fold">') == 1

    def test_sides(self):
        figures = {"n": 400, "passes": 399, "pass_rate": 0.9975, "failures": {"timeout": 1}, "cpu_s": 0.0123}
        given = {"baseline": figures, "candidate": {**figures, "peak_memory_bytes": 3 << 20, "extra": "else"}}
        text = read(html(summaries=given)).text
        for word in ("Both sides", "99.75%", "timeout: 1", "12.3 ms", "3.0 MiB", "else"):
            assert word in text

    def test_metrics_are_drawn(self):
        given = {
            "value": metric(),
            "cost": metric(higher=False, better=1.0, worse=0.002, lower=None),
            "time": metric(kind="ratio", higher=False, better=0.4, worse=0.6, estimate=0.9, lower=0.8, upper=1.1),
        }
        page = read(html(metrics=given))
        for word in ("Shown to be better", "Shown to be worse", "No difference shown", "unbounded", "x 0.9", "0.25"):
            assert word in page.text
        assert {"better", "worse", "open"} <= page.classes

    def test_relations(self):
        one = RelationComparison(
            category="symmetry", n=200, baseline_violations=0, candidate_violations=30, p_worse=1e-9
        )
        text = read(html(decision=Decision.REJECT, relations={"mirrored": one})).text
        assert "mirrored symmetry 200 0 30 (15.00%) < 0.0001 Shown to be worse" in text

    def test_looks_are_drawn_over_the_cases(self):
        looks = tuple(
            Look(n=n, interval=interval(lower=-10 / n, upper=None if n == 100 else 10 / n), decision=Decision.UNDECIDED)
            for n in (100, 200, 400)
        )
        page = read(html(looks=looks))
        assert "looks" in page.ids
        assert "look" in page.classes
        assert "200 +3.33% -5.00% +5.00% 95% undecided" in page.text

    def test_many_looks_are_thinned_out(self):
        looks = tuple(Look(n=n, interval=interval(), decision=Decision.UNDECIDED) for n in range(1, 2_001))
        page = html(looks=looks)
        assert "thinned out from 2,000" in read(page).text
        assert len(page) < 200_000


class TestIntervals:
    @check_rows(
        ("mode", "policy", "given", "needed", "state"),
        [
            ("statistical", "noninferiority:margin=0.02", interval(), "above -2.00%", "cleared"),
            ("statistical", "superiority:margin=0.05", interval(), "above +5.00%", "open"),
            ("statistical", "superiority:margin=0.1", interval(), "above +10.00%", "missed"),
            ("statistical", "equivalence:margin=0.05", interval(), "between -5.00% and +5.00%", "open"),
            (
                "exact",
                "noninferiority:margin=0.02",
                interval("mismatch_rate", 0, 0, 0.0075),
                "at most 2.00%",
                "cleared",
            ),
            ("exact", "noninferiority:margin=0.02", interval("mismatch_rate", 0, 0, 0.05), "at most 2.00%", "open"),
            (
                "absolute",
                "absolute:min_pass_rate=0.9",
                interval("pass_rate", 0.95, 0.9, 1),
                "at least 90.00%",
                "cleared",
            ),
            (
                "absolute",
                "absolute:min_pass_rate=0.9",
                interval("pass_rate", 0.5, 0.4, 0.6),
                "at least 90.00%",
                "missed",
            ),
        ],
    )
    def test_say_what_was_needed_and_whether_it_was_shown(self, mode, policy, given, needed, state):
        page = read(html(mode=mode, policy=policy, intervals=(given,)))
        assert f"needed {needed}" in page.text
        assert state in page.classes
        assert "confidence 95%, one-sided" in page.text
        assert given.method in page.text

    def test_without_bounds(self):
        page = read(html(intervals=(interval(lower=None, upper=None),)))
        assert "lower bound unbounded" in page.text
        assert "arrow" in page.classes

    def test_of_a_metric_in_exact_mode_go_by_its_own_scale(self):
        numbers = {"estimate": 0.24, "lower": 0.22, "upper": 0.26}
        drawn = (interval("mismatch_rate", 0.0, 0.0, 0.0075), interval("time", 0.24, 0.22, 0.26, "log_ratio"))
        given = {"time": metric(kind="ratio", higher=False, **numbers)}
        text = read(html(mode="exact", policy="superiority:margin=0.02", intervals=drawn, metrics=given)).text
        assert "needed below x 1" in text
        assert "It must be better in at least one metric, and worse in none." in text

    def test_of_a_policy_that_cannot_be_read_are_drawn_without_a_line(self):
        page = read(html(policy="<b>as I like</b>", intervals=(interval(), interval(name="something_else"))))
        assert "<b>as I like</b>" in page.text
        assert "marginline" not in page.classes
        assert "something_else" in page.text

    def test_the_policy_is_told_with_its_floor_and_cap(self):
        config = GuardConfig(violation_cap=7)
        text = read(html(policy="noninferiority:margin=0.02,min_pass_rate=0.9", config=config)).text
        assert "must not be lower than the baseline's by 2.00% or more" in text
        assert "must also reach 90.00%" in text
        assert "At most 7 cases" in text


@check_rows("hostile", HOSTILE)
def test_whatever_programs_say_stays_text(hostile):
    calm = read(everything("calm"))
    page = everything(hostile)
    reader = read(page)
    assert reader.classes <= calm.classes | {"fold"}
    assert reader.ids == calm.ids
    assert " ".join(hostile.split()) in reader.text
    assert not re.search(r"<(script|img|svg/)", page)


def everything(said):
    """A page on which every free text is the same."""
    broken = Violation(kind="property", name=said[:500], case=1, detail=said, input=said, expected=said, got=said)
    walls = provenance(backend=said, layers=(said,), missing={said: said}, fingerprint=said)
    relation = RelationComparison(category=said, n=1, baseline_violations=0, candidate_violations=0, p_worse=1.0)
    return html(
        said,
        candidate=side(said, said),
        decision=Decision.REJECT,
        policy=said,
        challenge=Challenge(niche=said[:300], k=1, alpha=0.05),
        reasons=(Reason(code="raised", message=said), Reason(code="lint", message=said)),
        warnings=(Reason(code="flaky", message=said),),
        intervals=(interval(),),
        summaries={"candidate": {"failures": {said: 1}, said: said}, said: {"n": said}, "odd": said},
        violations=(broken, broken.model_copy(update={"arguments": [said, {said: said}]})),
        metrics={said: metric()},
        relations={said: relation},
        provenance=walls.model_copy(update={"versions": {said: said}, "platform": said}),
    )


class TestText:
    @check_rows("sign", ["\0", "\x1b", "\x85", "\u202e", "\u2066", "\u200b", "\ufeff", "\ud800", "\r"])
    def test_that_hides_is_spelled_out(self, sign):
        page = html(f"a{sign}b")
        assert sign not in page
        assert f"a⟦U+{ord(sign):04X}⟧b" in read(page).text
        page.encode()

    def test_keeps_its_first_empty_line(self):
        shown = Violation(kind="mismatch", name="answer", case=7, input="\n\nx", expected="2", got="3")
        assert "<pre>\n\n\nx</pre>" in html(violations=(shown,))

    def test_that_names_something_is_clipped(self):
        assert len(html("n" * 100_000)) < len(html()) + 1_000

    def test_that_is_only_foreign_is_left_alone(self):
        text = "naïve \N{HEBREW LETTER ALEF} 漢字\t\r\n🙂 \N{REPLACEMENT CHARACTER}"
        assert room.visible(text) == text


class TestNumbers:
    @check_rows(
        ("share", "shown"),
        [(0.5, "50.00%"), (0.0, "0.00%"), (1.0, "100.00%"), (0.99996, "99.996%"), (-0.02, "-2.00%"), (2e-5, "0.002%")],
    )
    def test_shares(self, share, shown):
        assert plain(room.percent(share)) == shown

    @check_rows(
        ("value", "shown"),
        [(3.0, "3"), (1234567.0, "1,234,567"), (0.123456, "0.1235"), (12345.6, "12,346"), (-2.5, "-2.5")],
    )
    def test_numbers(self, value, shown):
        assert plain(room.number(value)) == shown

    def test_none_and_what_is_no_number(self):
        assert [plain(room.number(each)) for each in (None, float("nan"), float("inf"))] == ["-"] * 3
        assert [plain(room.percent(each)) for each in (None, float("nan"))] == ["-"] * 2
        assert plain(room.chance(None)) == "-"

    @check_rows(("value", "shown"), [(0.0, "0 s"), (2.0, "2 s"), (0.0021, "2.1 ms"), (3e-9, "3 ns")])
    def test_seconds(self, value, shown):
        assert room.seconds(value) == shown

    @check_rows(("value", "shown"), [(12, "12 B"), (2048, "2.0 KiB"), (3 << 30, "3.0 GiB")])
    def test_bytes(self, value, shown):
        assert room.size_of(value) == shown

    @check_rows(("value", "shown"), [(1e-9, "< 0.0001"), (0.0312, "0.0312"), (0.9999, "> 0.999"), (1, "1")])
    def test_chances(self, value, shown):
        assert room.chance(value) == shown
