"""Two runs of source are the same question if what is bred and judged is the same (rule 10)."""

from __future__ import annotations

from typing import Any

import pytest

from mendel.bench.planning import best_of_n
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor, RunConfig
from mendel.domains.programs.domain import Programs
from mendel.domains.texts.domain import Texts
from mendel.kernel.domain import Domain

PROGRAM: dict[str, Any] = {
    "path": "a.py",
    "files": {"a.py": "def f(x: int) -> int:\n    return x\n"},
    "paths": {"a.py": "a.py"},
    "main": "a.py",
    "entry": "a:f",
    "function": "f",
    "roots": {"a.py": ["f"]},
    "objectives": {"speed": 1.0},
    "spec": {"path": "task.py", "sha256": "0" * 64},
}
TEXT: dict[str, Any] = {
    "path": "a.js",
    "files": {"a.js": "1\n"},
    "paths": {"a.js": "a.js"},
    "editable": ["a.js"],
    "language": "js",
    "run": "node a.js",
    "objective": "speed",
}
DOMAINS = [(Programs(), PROGRAM), (Texts(), TEXT)]


def run_of(domain: Domain, task: dict[str, Any], problem: str = "a.py:f", **fields: Any) -> RunConfig:
    payload = DomainPayload(domain=domain.name, kind="task", data=task)
    return RunConfig(domain=domain.name, problem=problem, rng_seed=1, domain_config=payload, **fields)


def niche_of(domain: Domain, config: RunConfig) -> str:
    (niche,) = domain.niches(config)
    return niche


@pytest.mark.parametrize(("domain", "task"), DOMAINS)
def test_how_a_file_is_called_and_what_the_problem_is_named_begin_no_fresh_k(domain, task):
    name = next(iter(task["files"]))
    absolute = {**task, "path": f"/elsewhere/{name}", "paths": {name: f"/elsewhere/{name}"}}
    niches = {
        niche_of(domain, run_of(domain, task)),
        niche_of(domain, run_of(domain, absolute, f"/elsewhere/{name}:f")),
        niche_of(domain, run_of(domain, task, "another problem, says the run file")),
    }
    assert len(niches) == 1
    changed = {**task, "files": {name: f"{task['files'][name]}# another\n"}}
    assert niche_of(domain, run_of(domain, changed)) not in niches


def test_where_the_users_own_rules_lie_makes_no_difference_and_what_they_say_does():
    table = {"task": PROGRAM["spec"], "rules": {"score": [{"file": PROGRAM["spec"], "name": "score"}]}}
    for spec in (PROGRAM["spec"], table):
        moved, changed = (
            {**PROGRAM, "spec": eval(repr(spec).replace(old, new))}  # every place where a file is named
            for old, new in (("task.py", "/elsewhere/task.py"), ("0" * 64, "1" * 64))
        )
        before = niche_of(Programs(), run_of(Programs(), {**PROGRAM, "spec": spec}))
        assert niche_of(Programs(), run_of(Programs(), moved)) == before
        assert niche_of(Programs(), run_of(Programs(), changed)) != before


@pytest.mark.parametrize("named", [None, "mine"])
@pytest.mark.parametrize(("domain", "task"), DOMAINS)
def test_a_run_for_comparison_has_a_niche_of_its_own_and_begins_with_the_original_alone(domain, task, named):
    traits = DomainPayload(domain=domain.name, kind="traits", data={"files": task["files"]})
    survivor = Ancestor(
        run_id="01980000-0000-7000-8000-0000000000bb", candidate_id="candidate-1", traits=traits, content=traits
    )
    config = run_of(domain, task, niche=named, ancestors=(survivor,), continues=survivor.run_id)
    beside = best_of_n(config, 10, 5.0)
    assert niche_of(domain, beside) != niche_of(domain, config)
    assert (beside.ancestors, beside.continues) == ((), None)
