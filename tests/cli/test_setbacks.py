"""What `mendel run`, `show` and `report` say of a domain that goes wrong in ways that the kernel bounds."""

import pytest
from tests.rules.attackers import install_plugin

SOURCE = """
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.work import Answer
from mendel.kernel.domain import Expression
from mendel.kernel.moves import Challenge, Examine, Score
from mendel.selection.operators import Operator

class Number(BaseModel):
    value: float

class Setting(BaseModel):
    endless: bool = False

def number(value):
    return DomainPayload(domain="stubborn", kind="number", data={"value": value})

class Stubborn(Domain):
    name = "stubborn"
    payloads = {("number", 1): Number, ("setting", 1): Setting}
    config_kind = ("setting", 1)
    steps = {name: Step() for name in ("stubborn.vary", "stubborn.look", "stubborn.duel")}
    operators = (Operator(name="vary", step="stubborn.vary"),)

    def founders(self, config, entropy):
        self.endless = config.domain_config.data.get("endless")
        return [number(each) for each in range(1, 6)]

    def express(self, genome, config):
        return Expression(contents=(genome.traits,))

    def route(self, dossier):
        if dossier.phase == "generation":
            return ()
        if dossier.phase == "contending":
            return (Challenge(step="stubborn.duel"),) if dossier.decision is None else ()
        if self.endless or dossier.last("stubborn.look") is None:
            return (Examine(step="stubborn.look"),)
        return (Score(components={"value": dossier.content.data["value"]}),)

async def vary(work):
    return Answer(traits=work.material.parents[0])

async def look(work):
    return Answer(findings=work.material.content)

async def duel(work):
    return work.material.champion.data["value"]
"""
HANDLERS = {f"stubborn.{name}": name for name in ("vary", "look", "duel")}
RUN = ("run", "--domain", "stubborn", "--problem", "p", "--seed", "3", "--generations", "1", "--population", "5")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """On the path for the whole module: a process takes the payloads of one such domain only."""
    groups = {"domains": {"stubborn": "Stubborn"}, "task_handlers": HANDLERS}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(install_plugin(tmp_path_factory.mktemp("site"), SOURCE, groups)))
        yield


@pytest.fixture
def stubborn(installed, file_log, one_worker):
    """The domain, at a command line on the file log."""


def test_a_niche_whose_challenges_all_fail_is_told_with_step_count_and_message(mendel, stubborn, tmp_path):
    done = mendel(*RUN)
    assert done.code == 0
    said = "3 challenges in a row failed in stubborn:p, which makes no more (stubborn.duel): AttributeError: "
    assert f"  {said}'NoneType' object has no attribute 'data'" in done.out
    assert said in mendel("show", "latest").out
    (closed,) = mendel("show", "latest", "--json").json["closed_niches"]
    assert (closed["niche"], closed["step"], closed["challenges"]) == ("stubborn:p", "stubborn.duel", 3)
    assert said in mendel("report", "latest", "--out", tmp_path / "report").out
    (page,) = (tmp_path / "report").rglob("*.html")
    assert said in page.read_text()


def test_the_end_of_a_run_says_so_for_machines(mendel, stubborn):
    (told,) = mendel(*RUN, "--json").json["runs"]
    assert told["challenges"] == 3
    assert [each["step"] for each in told["failed_steps"]] == ["stubborn.duel"]
    assert [each["challenges"] for each in told["closed_niches"]] == [3]
    assert told["endless_routes"] is None


@pytest.mark.slow
def test_a_route_without_an_end_is_told(mendel, stubborn):
    done = mendel(*RUN, "--set", "endless=true")
    said = "5 candidates were dropped, since their route had no end, and none was scored: still not scored after 100"
    assert (done.code, said in done.out) == (1, True)
    assert said in mendel("show", "latest").out
