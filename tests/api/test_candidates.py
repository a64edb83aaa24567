"""One candidate, and how a run ended: whatever is told is what the events say, recomputed from the whole log."""

from __future__ import annotations

import pytest
from tests.api.reading import HISTORIES, bred, golden_log, observatory, told_log
from tests.kernel.scripted import ScriptedDomain, Stage, config_of, looked_at
from tests.projections.histories import RUN_ID
from tests.projections.report import stories
from tests.support.rows import check_rows

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api import source
from mendel.api.registration import ServedDomain
from mendel.api.routes.candidates import difference, files_text, text_of
from mendel.api.schemas_candidates import SourceText
from mendel.contracts.errors import BrokenPlugin
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.gate import AdoptionMade, GateVerdict
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted, OperationStarted
from mendel.contracts.events.run import RunCompleted
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.projections.current_state import Champions
from mendel.projections.explanation import ExplanationFold
from mendel.projections.leaderboard import LeaderboardFold
from mendel.projections.report.patch import unified_patch


async def events_of(log, run_id):
    return [event async for event in log.read(run_id)]


def created(events):
    return [event.payload.candidate for event in events if isinstance(event.payload, CandidateCreated)]


def explained(events, candidate_id):
    fold = ExplanationFold(candidate_id)
    for event in events:
        fold.take(event)
    return fold.view()


def charged(events, candidate, whole):
    """For what was done about it, for the operation that made it, and for a founder's place."""
    born = [event for event in events if event.type == "genome.spawned" and event.genome_id == candidate.genome_id]
    operations = {*(step.operation_id for step in whole.steps), *(event.operation_id for event in born)} - {None}
    spent = [event for event in events if isinstance(event.payload, EnergySpent)]
    founding = [event for event in spent if event.operation_id is None and event.genome_id == candidate.genome_id]
    worked = [event for event in spent if event.operation_id in operations]
    return sum(event.payload.actual for event in (*founding, *worked))


@pytest.mark.slow
@pytest.mark.parametrize("near", [0, 500])
@pytest.mark.parametrize("name", HISTORIES)
async def test_a_candidate_is_told_from_its_few_events_as_from_all(tmp_path, name, near, monkeypatch):
    monkeypatch.setattr(source, "_NEAR", near)
    log, runs = await golden_log(tmp_path, name)
    events = await events_of(log, runs[name])
    async with observatory(log) as asked:
        for candidate in created(events):
            detail = await asked.get(f"/api/runs/{runs[name]}/candidates/{candidate.id}")
            whole = explained(events, candidate.id)
            assert detail["explanation"] == whole.model_dump(mode="json")
            assert detail["content"] == candidate.content.model_dump(mode="json")
            assert detail["energy"] == charged(events, candidate, whole)
            assert (detail["status"], detail["birth"]) == (whole.status, candidate.birth)


@pytest.mark.parametrize("name", ["generational", "menagerie", "steady_birth"])
async def test_its_evidence_and_verdicts_are_those_of_the_log(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    events = await events_of(log, runs[name])
    seen = 0
    async with observatory(log) as asked:
        for candidate in created(events):
            detail = await asked.get(f"/api/runs/{runs[name]}/candidates/{candidate.id}")
            for item in detail["evidence"]:
                own = [event for event in events if event.operation_id == item["operation_id"]]
                ended = [event for event in own if isinstance(event.payload, OperationCompleted)]
                if item["outcome"] == "completed":
                    assert item["findings"] == ended[-1].payload.model_dump(mode="json")["findings"]
                    assert (item["ended"], item["event_id"]) == (ended[-1].sequence, ended[-1].id)
                spent = [event.payload.actual for event in own if isinstance(event.payload, EnergySpent)]
                assert item["energy"] == sum(spent)
                seen += 1
            verdicts = [
                (event.sequence, event.payload.verdict)
                for event in events
                if isinstance(event.payload, GateVerdict) and event.payload.verdict.candidate_id == candidate.id
            ]
            shown = [each for each in detail["verdicts"] if each["what"] == "verdict"]
            assert [(each["sequence"], each["verdict"]) for each in shown] == [
                (sequence, verdict.model_dump(mode="json")) for sequence, verdict in verdicts
            ]
            assert [(each["n"], each["alpha"], each["k"]) for each in shown] == [
                (verdict.n, verdict.challenge.alpha, verdict.challenge.k) for _, verdict in verdicts
            ]
    assert seen


async def test_its_parents_are_those_it_was_bred_from(tmp_path):
    log, runs = await golden_log(tmp_path, "generational")
    events = await events_of(log, runs["generational"])
    genomes = {
        event.payload.genome.id: event.payload.genome for event in events if isinstance(event.payload, GenomeSpawned)
    }
    bred_ones = 0
    async with observatory(log) as asked:
        for candidate in created(events):
            detail = await asked.get(f"/api/runs/{runs['generational']}/candidates/{candidate.id}")
            genome = genomes[candidate.genome_id]
            assert [parent["genome_id"] for parent in detail["parents"]] == list(genome.parents)
            for parent in detail["parents"]:
                bred_ones += 1
                expressed = [each.id for each in created(events) if each.genome_id == parent["genome_id"]]
                assert parent["candidate_id"] == (expressed[0] if expressed else None)
                assert parent["birth"] == genomes[parent["genome_id"]].birth
                assert patched(parent["text"]["source"], parent["diff"]) == detail["text"]["source"]
    assert bred_ones


def patched(before, diff):
    """What a unified diff makes of a text."""
    old, new = before.splitlines(keepends=True), []
    place = 0
    for line in diff.splitlines(keepends=True)[3:]:
        if line.startswith("@@"):
            start = int(line.split("-")[1].split(",")[0].split(" ")[0])
            new += old[place : max(place, start - 1)]
            place = max(place, start - 1)
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith("-"):
            assert old[place] == line[1:]
            place += 1
        else:
            assert old[place] == line[1:]
            new.append(old[place])
            place += 1
    return "".join(new + old[place:])


class Counting(MemoryEventLog):
    """Counts what is read of it."""

    read_so_far = 0

    async def read(self, run_id, start=0):
        async for event in super().read(run_id, start):
            self.read_so_far += 1
            yield event


async def test_once_a_run_is_known_a_candidate_costs_only_its_own_events(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "_NEAR", 0)
    stage = await bred()
    events = await stage.events()
    log = Counting()
    await log.import_records(stage.run_id, [each async for chunk in stage.log.records(stage.run_id) for each in chunk])
    founder = created(events)[0].id
    async with observatory(log) as asked:
        await asked.get(f"/api/runs/{stage.run_id}/candidates/{founder}")
        before = log.read_so_far
        await asked.get(f"/api/runs/{stage.run_id}/candidates/{founder}")
        assert log.read_so_far - before < len(events) / 4


async def test_a_program_is_its_source_and_a_patch_of_it():
    story = stories.winning()
    log = await told_log(story)
    async with observatory(log) as asked:
        path = f"/api/runs/{RUN_ID}"
        detail = await asked.get(f"{path}/candidates/candidate-7")
        assert detail["text"] == {
            "language": "python",
            "source": stories.WINNER,
            "files": [{"path": stories.PATH, "source": stories.WINNER}],
        }
        from_before, from_founder = detail["parents"]
        assert (from_before["candidate_id"], from_founder["candidate_id"]) == ("candidate-6", "candidate-0")
        assert from_founder["diff"] == unified_patch(stories.PATH, stories.ORIGINAL, stories.WINNER)
        assert from_before["text"]["source"] == stories.HALVED.replace("list(items)", "items[:]")
        interval = next(each for each in detail["verdicts"] if each["what"] == "verdict")["intervals"][0]
        assert (interval["name"], interval["upper"], interval["must_stay_below"]) == ("mismatch_rate", 0.0198, 0.02)
        proof = await asked.get(f"{path}/final")
        assert (proof["state"], proof["winner"]["candidate_id"]) == ("confirmed", "candidate-7")
        assert proof["patch"] == from_founder["diff"]
        assert proof["founder"]["candidate_id"] == "candidate-0"
        assert proof["audit"]["findings"]["data"]["agrees"] is True
        assert [each["step"] for each in proof["winner"]["evidence"]].count("programs.audit") == 1


async def test_an_adoption_that_its_audit_threw_out_is_no_winner():
    log = await told_log(stories.losing())
    async with observatory(log) as asked:
        proof = await asked.get(f"/api/runs/{RUN_ID}/final")
    assert (proof["winner"], proof["state"]) == (None, "nothing")
    assert [each["what"] for each in proof["revoked"]] == ["revoked"]
    assert "the gate was challenged 2 times, and every adoption was revoked" in proof["said"]


async def test_a_domain_may_say_itself_how_it_is_read():
    stage = await bred()

    def shouted(genome, candidate):
        return SourceText(language="text", source=f"GENOME {genome.birth}")

    domain = ServedDomain("scripted", "Scripted", "For tests.", open_text=lambda: shouted)
    events = await stage.events()
    async with observatory(stage.log, domains=(domain,)) as asked:
        for candidate in created(events)[:3]:
            detail = await asked.get(f"/api/runs/{stage.run_id}/candidates/{candidate.id}")
            assert detail["text"]["source"] == f"GENOME {candidate.birth}"


async def test_one_that_cannot_is_read_as_its_data():
    def failing(genome, candidate):
        raise ZeroDivisionError

    def unloadable():
        raise BrokenPlugin("gone")

    stage = await bred()
    candidate = created(await stage.events())[0]
    for opened in (lambda: failing, unloadable):
        domain = ServedDomain("scripted", "Scripted", "For tests.", open_text=opened)
        async with observatory(stage.log, domains=(domain,)) as asked:
            detail = await asked.get(f"/api/runs/{stage.run_id}/candidates/{candidate.id}")
            assert '"value"' in detail["text"]["source"]


def test_files_that_came_or_went_are_in_a_difference():
    before, after = files_text({"a.py": "a\n", "b.py": "b\n"}), files_text({"b.py": "c\n", "d.rs": "d\n"})
    diff = difference(before, after)
    assert diff == (
        unified_patch("a.py", "a\n", "") + unified_patch("b.py", "b\n", "c\n") + unified_patch("d.rs", "", "d\n")
    )
    assert difference(before, before) == ""
    assert difference(None, after) is None
    assert files_text({"main.rs": ""}).language == "rust"


# --- lists ---------------------------------------------------------------------------------------------------------


async def pages(asked, path):
    found, cursor = [], ""
    while cursor is not None:
        page = await asked.get(f"{path}{f'&cursor={cursor}' if cursor else ''}")
        found += page["candidates"]
        cursor = page["next"]
        assert page["total"] >= len(found)
    return found


async def test_page_by_page_all_candidates_come_once():
    stage = await bred()
    events = await stage.events()
    board = LeaderboardFold(top=1_000)
    for event in events:
        board.take(event)
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}/candidates"
        listed = await pages(asked, f"{path}?limit=3")
        by_birth = sorted(created(events), key=lambda each: each.birth)
        assert [each["candidate_id"] for each in listed] == [each.id for each in by_birth]
        ranked = await pages(asked, f"{path}?limit=4&sort=fitness")
        totals = [each["fitness"] for each in ranked if each["fitness"] is not None]
        assert totals == [standing.total for standing in board.view().standings]
        assert len(ranked) == len(listed)
        culled = await asked.get(f"{path}?status=culled&limit=1000")
        assert culled["total"] == sum(each["status"] == "culled" for each in listed)
        assert (await asked.get(f"{path}?cursor=nobody", 404))["code"] == "unknown_cursor"
        assert (await asked.get(f"{path}?limit=0", 422))["code"] == "invalid_request"
        assert (await asked.get(f"{path}/nobody", 404))["code"] == "candidate_not_found"


@pytest.mark.parametrize("name", HISTORIES)
async def test_candidates_come_by_birth_whenever_they_were_made(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    async with observatory(log) as asked:
        path = f"/api/runs/{runs[name]}/candidates?limit=1000"
        births = [each["birth"] for each in (await asked.get(path))["candidates"]]
        assert births == sorted(births)
        ranked = (await asked.get(f"{path}&sort=fitness"))["candidates"]
        places = [(each["fitness"] is None, -(each["fitness"] or 0.0), each["birth"]) for each in ranked]
        assert places == sorted(places)


# --- how a run ended -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HISTORIES)
async def test_the_winner_is_whom_the_gate_let_in_and_nobody_threw_out(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    events = await events_of(log, runs[name])
    champions, own = Champions(), {each.id for each in created(events)}
    for event in events:
        champions.take(event.payload)
    reigning = [each for each in champions.by_niche.values() if each in own]
    async with observatory(log) as asked:
        proof = await asked.get(f"/api/runs/{runs[name]}/final")
    assert (proof["winner"]["candidate_id"] if proof["winner"] else None) == (reigning[-1] if reigning else None)
    challenges = [
        event.payload.operation
        for event in events
        if isinstance(event.payload, OperationStarted) and event.payload.operation.kind == "challenge"
    ]
    spent = {each.id: each.challenge.alpha for each in challenges}
    (niche,) = proof["niches"]
    assert niche["challenges"] == len(spent)
    assert niche["spent"] == pytest.approx(sum(spent.values()))
    assert proof["replay"]["head_hash"] == events[-1].hash
    if proof["winner"]:
        adopted = [event.payload for event in events if isinstance(event.payload, AdoptionMade)]
        verdict = next(each.verdict for each in reversed(adopted) if each.candidate_id == reigning[-1])
        assert proof["verdict"]["verdict"] == verdict.model_dump(mode="json")
        assert f"challenge {verdict.challenge.k}" in proof["said"]


async def test_a_run_without_a_winner_says_so():
    stage = await bred(route=looked_at)
    final = next(event.payload for event in await stage.events() if isinstance(event.payload, RunCompleted))
    async with observatory(stage.log) as asked:
        proof = await asked.get(f"/api/runs/{stage.run_id}/final")
    assert (proof["state"], proof["winner"], proof["verdict"], proof["patch"]) == ("nothing", None, None, None)
    assert proof["best"]["candidate_id"] == final.final_candidate_id
    assert proof["digest"] == final.summary.outcome_digest
    assert "no winner: no candidate challenged the gate" in proof["said"]
    assert "without proof" in proof["said"]


async def test_a_run_that_is_not_over_claims_nothing():
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    assert await stage.interrupt_after(12) is None
    async with observatory(stage.log) as asked:
        proof = await asked.get(f"/api/runs/{stage.run_id}/final")
    assert (proof["over"], proof["state"], proof["winner"]) == (False, "open", None)
    assert proof["said"] == "The run is not over, and nothing has been adopted so far."


@check_rows("answer", [{"files": []}, "def f(): ...", 7])
def test_a_text_function_that_answers_with_something_else_leaves_the_plain_text(answer):
    traits = DomainPayload(domain="scripted", kind="solution", version=1, data={"value": 1})
    genome = Genome(id="genome:1", birth=0, traits=traits)
    found = text_of(lambda _genome, _candidate: answer, genome, None)
    assert found is not None
    assert found.language == "json"
