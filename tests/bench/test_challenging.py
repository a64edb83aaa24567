"""Where there is one input only, a challenger has to be rated above what the champion scores."""

import asyncio

import pytest

from mendel.bench import challenging
from mendel.bench.challenging import Claim, Rating
from mendel.contracts.evaluations import Program
from mendel.contracts.verdicts import Challenge
from mendel.guard.spec import Property, TaskSpec


@pytest.mark.parametrize(("sign", "better", "worse"), [(1.0, 12.0, 10.0), (-1.0, 8.0, 11.0)])
def test_it_is_asked_alone_whether_every_answer_keeps_the_rules_and_beats_the_mark(monkeypatch, sign, better, worse):
    asked = {}

    async def gate(spec, champion, _challenger, **options):
        asked.update(options, spec=spec, champion=champion)

    monkeypatch.setattr(challenging, "run_async", gate)
    program = Program.of("def f():\n    return 1.0\n", "f")
    claim = Claim(program, program, None, Challenge.nth("f", 1, 0.05), "candidate-1")
    finite = Property(lambda output: output < 100.0, "is small")
    rules = TaskSpec(name="f", gen_inputs=lambda n, _seed: [()] * n, properties=[finite])
    rating = Rating(lambda output, _args: output, "beats {:.9g}", sign)
    asyncio.run(claim.alone_above(10.0, rating, rules, timeout_s=2.0))
    kept, above = asked["spec"].properties
    assert (kept, above.description) == (finite, "beats 10")
    assert (above.check(better), above.check(worse), above.check(10.0)) == (True, False, False)
    assert (asked["champion"], asked["policy"], asked["timeout_s"]) == (None, "absolute:min_pass_rate=0.5", 2.0)
