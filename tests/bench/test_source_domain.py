"""What programs and texts have in common as domains: one founder, one way to be admitted, one route."""

import pytest
from tests.domains.texts.making import bench as text_bench
from tests.projections.report.stories import task

from mendel.bench.records import Checked, SourceTask
from mendel.bench.source_domain import SourceDomain
from mendel.contracts.entropy import Entropy
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.domains.programs.domain import Programs
from mendel.domains.texts.domain import Texts
from mendel.domains.texts.models import TextExamined
from mendel.kernel.domain import Refused
from mendel.kernel.dossier import Dossier, Observation
from mendel.kernel.moves import Drop, Examine

CASES = [
    pytest.param(Programs(), task(), "def sort(items:", Checked, id="programs"),
    pytest.param(Texts(), text_bench(objective="speed").task, "another outside", TextExamined, id="texts"),
]


def config_of(domain: SourceDomain, about: SourceTask) -> RunConfig:
    return RunConfig(domain=domain.name, problem="p", rng_seed=7, domain_config=domain.payload(about))


@pytest.mark.parametrize(("domain", "about", "unfit", "_examined"), CASES)
def test_the_original_is_the_founder_and_what_is_proposed_is_admitted_where_it_fits(domain, about, unfit, _examined):
    config, original = config_of(domain, about), about.originals()
    (founder,) = domain.founders(config, Entropy(7))
    assert (founder.domain, founder.kind, founder.data["files"]) == (domain.name, "traits", original)
    admitted = domain.admit({"files": original}, config)
    assert isinstance(admitted, DomainPayload)
    assert (admitted.kind, admitted.data["operator"]) == ("traits", "proposal")
    assert isinstance(domain.admit({"files": {**original, "more": ""}}, config), Refused)
    assert isinstance(domain.admit({"files": dict.fromkeys(original, unfit)}, config), Refused)
    assert domain.challenges(config)
    assert not domain.challenges(config_of(domain, about.model_copy(update={"contends": False})))


@pytest.mark.parametrize(("domain", "about", "_unfit", "examined"), CASES)
def test_a_duplicate_is_out_at_once_and_all_others_are_examined(domain, about, _unfit, examined):
    step = domain.contending.examine

    def routed(**fields):
        return domain.route(Dossier("candidate-1", "verifying", 0, 7, **fields))

    (twin,) = routed(twin="candidate-0")
    assert (twin.reason.code, "candidate-0" in twin.reason.message) == ("duplicate", True)
    assert routed() == [Examine(step=step)]
    (lost,) = routed(observations=(Observation(step, "examine", None, failed="sandbox_gone"),))
    assert (type(lost), lost.reason.code) == (Drop, "sandbox_gone")
    fallen = domain.payload(examined(passed=False, stage="differential", detail="another answer"))
    (out,) = routed(observations=(Observation(step, "examine", fallen),))
    assert (type(out), out.reason.code, out.reason.message) == (Drop, "differential", "another answer")


def test_a_run_without_a_task_says_what_it_lacks():
    for domain in (Programs(), Texts()):
        with pytest.raises(ValueError, match=rf"a run of {domain.name} needs its task; `mendel evolve"):
            domain.challenges(RunConfig(domain=domain.name, problem="p", rng_seed=7))
