"""A filter that nobody knows is refused by name: an empty list would look like an answer."""

from __future__ import annotations

from tests.api.reading import bred, observatory
from tests.support.rows import check_rows

from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.statuses import CandidateStatus, RunStatus

RUN = "/api/runs/{run_id}"
UNKNOWN = [
    ("/api/runs?status=foo", "query.status", list(RunStatus)),
    (f"{RUN}/events?type=foo", "query.type", list(EVENT_PAYLOADS)),
    (f"{RUN}/candidates?status=foo", "query.status", list(CandidateStatus)),
    ("/api/guard/reports?decision=foo", "query.decision", ["adopt", "reject", "undecided"]),
    ("/api/runs?sort=foo", "query.sort", ["newest", "oldest", "best", "cost", "events"]),
    ("/api/runs?stauts=running", "query.stauts", ["status", "domain", "q", "sort", "limit", "cursor"]),
    (f"{RUN}/events?after=3", "query.after", ["since", "limit", "type"]),
    (f"{RUN}/stream?after=3", "query.after", ["since", "form"]),
    (f"{RUN}?status=running", "query.status", ["no parameters are allowed"]),
]


@check_rows(("path", "where", "known"), UNKNOWN)
async def test_what_is_not_known_is_refused_with_what_is(path, where, known):
    stage = await bred()
    async with observatory(stage.log) as asked:
        answer = await asked.client.get(path.format(run_id=stage.run_id))
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "invalid_request")
    assert answer.headers["content-type"] == "application/problem+json"
    (field,) = problem["fields"]
    assert field["where"] == where
    assert [each for each in known if each not in field["message"]] == []


async def test_a_change_with_an_unknown_parameter_is_not_made():
    stage = await bred()
    async with observatory(stage.log) as asked:
        answer = await asked.client.post("/api/doctor?now=1", headers={"Idempotency-Key": "x"})
        assert (answer.status_code, answer.json()["fields"][0]["where"]) == (422, "query.now")
        assert (await asked.get("/api/doctor"))["at"] is None


@check_rows("word", list(RunStatus))
async def test_every_state_can_be_asked_for(word):
    stage = await bred()
    async with observatory(stage.log) as asked:
        assert (await asked.get(f"/api/runs?status={word}"))["total"] == (word == "completed")


async def test_every_type_of_event_can_be_asked_for():
    stage = await bred()
    events = await stage.events()
    async with observatory(stage.log) as asked:
        for name in EVENT_PAYLOADS:
            told = (await asked.get(f"/api/runs/{stage.run_id}/events?type={name}"))["events"]
            assert len(told) == sum(event.type == name for event in events)


async def test_a_domain_that_is_not_installed_may_have_runs_and_one_that_cannot_be_has_none():
    stage = await bred()
    async with observatory(stage.log) as asked:
        assert (await asked.get("/api/runs?domain=gone"))["total"] == 0
        assert "domain" in (await asked.get("/api/runs?domain=Not+a+name", 422))["detail"]


async def test_each_word_is_looked_for_wherever_it_stands():
    stage = await bred()
    async with observatory(stage.log) as asked:
        (run,) = (await asked.get("/api/runs"))["runs"]
        word = run["problem"].split()[-1]
        assert (await asked.get(f"/api/runs?q={word}%20{run['domain']}"))["runs"]
        assert not (await asked.get(f"/api/runs?q={word}%20nowhere"))["runs"]
