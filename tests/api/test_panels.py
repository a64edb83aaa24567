"""Panels that a foreign domain declares: served as data, with paths that lead to what is there to be shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from pydantic import ValidationError
from tests.api.served import SMALL, serving
from tests.support.rows import check_rows

from mendel.api.examples import examples
from mendel.api.panels import FiguresPart, Panel, ShownFigure
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import find_registration
from mendel.settings import Settings
from mendel.wiring import served_domains

FIGURE = ShownFigure(name="best", label="Best", value="proof.figures.best_fitness")
PANEL = Panel(name="mine", title="Mine", place="proof", parts=(FiguresPart(figures=(FIGURE,)),))
NO_TUPLE = [PANEL]
TWICE = (PANEL, PANEL)


def value_at(root, path):
    """What the page finds at a path."""
    for step in path.split("."):
        root = root[int(step)] if isinstance(root, list) else root[step]
    return root


def paths_of(panel):
    """The paths of a served panel that begin at its values, and those within its rows."""
    outer, inner = [], []
    for part in panel["parts"]:
        if "rows" in part:
            outer.append(part["rows"])
            inner += [(part["rows"], column["value"]) for column in part.get("columns", [part.get("label")])]
            inner += [(part["rows"], part[name]) for name in ("value", "low", "high") if part.get(name) is not None]
        elif "value" in part:
            outer.append(part["value"])
        figures = [*part.get("figures", []), *filter(None, [part.get("figure")])]
        outer += [figure["value"] for figure in figures]
    return outer, inner


@pytest.mark.slow
@pytest.mark.smoke
@pytest.mark.usefixtures("plugins")
def test_what_a_foreign_domain_declares_is_served_and_leads_to_values(tmp_path):
    with serving(tmp_path) as server:
        run = server.until(server.launch({**SMALL, "config": {"target": [0.5, 0.5]}}), "completed")
        (domain,) = [each for each in server.get("/api/domains").json() if each["name"] == "reference"]
        panels = {panel["name"]: panel for panel in domain["panels"]}
        assert {name: panel["place"] for name, panel in panels.items()} == {
            "reference-closest": "run",
            "reference-weighed": "proof",
        }
        assert {step["word"] for step in domain["steps"]} >= {"measuring", "weighing"}
        source = panels["reference-closest"]["source"].replace("{run_id}", run["run_id"])
        proof = server.get(f"/api/runs/{run['run_id']}/final").json()
        evidence = proof["winner"]["evidence"]
        findings = {each["step"].partition(".")[2]: each["findings"]["data"] for each in evidence if each["findings"]}
        values = {
            "config": run["config"],
            "champion": {"findings": findings},
            "proof": proof,
            "answer": server.get(f"/api/domains/reference/{source}").json(),
        }
    for panel in panels.values():
        outer, inner = paths_of(panel)
        words = re.findall(r"\{([^}:]+)", panel["note"] or "")
        assert all(value_at(values, path) is not None for path in (*outer, *words, *filter(None, [panel["when"]])))
        assert all(column in _fields(row, column) for rows, column in inner for row in value_at(values, rows))


def _fields(row, column):
    return row.keys() if "." not in column else {column}


@check_rows(
    ("field", "value"),
    [
        ("name", "My panel"),
        ("place", "launch"),
        ("when", "a..b"),
        ("when", "constructor['x']"),
        ("source", "/api/runs"),
        ("source", "../runs"),
        ("source", "runs?x=1"),
        ("source", "{domain}/x"),
        ("parts", ()),
        ("parts", ({"part": "html", "value": "proof.said"},)),
    ],
)
def test_a_panel_is_no_more_than_data_about_its_own_domain(field, value):
    assert Panel.model_validate({**PANEL.model_dump(), "when": "proof.-1.b", "source": "runs/{run_id}/x"}) is not None
    with pytest.raises(ValidationError):
        Panel.model_validate({**PANEL.model_dump(), field: value})


FIGURES = {"part": "figures", "figures": [{"name": "x", "label": "X", "value": "winner.score"}]}
ROWS = {"part": "table", "name": "t", "caption": "T", "rows": "rows", "columns": [{"title": "A", "value": "a"}]}
STATUS = {"part": "status", "name": "s", "value": "proof.over", "yes": "{winner.score:text}", "no": "No."}


@check_rows(
    ("fields", "path"),
    [
        ({"parts": [FIGURES]}, "winner.score"),
        ({"parts": [{"part": "headline", "figure": FIGURES["figures"][0]}]}, "winner.score"),
        ({"parts": [{**FIGURES, "figures": [{**FIGURES["figures"][0], "value": "proof.a", "low": "low"}]}]}, "low"),
        ({"parts": [ROWS]}, "rows"),
        ({"parts": [STATUS]}, "winner.score"),
        ({"when": "over"}, "over"),
        ({"note": "Of {run.problem}."}, "run.problem"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused_by_its_name(fields, path):
    with pytest.raises(ValidationError, match=rf"the panel 'mine': the path '{path}' is invalid; a path begins with"):
        Panel.model_validate({**PANEL.model_dump(), **fields})


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("nowhere:PANELS", "as its panels, which cannot be loaded"),
        (f"{__name__}:NO_TUPLE", "it is not a tuple of Panel"),
        (f"{__name__}:TWICE", "two of its panels have the same name"),
    ],
)
def test_panels_that_cannot_be_used_are_left_out_and_the_domain_goes_on(monkeypatch, reference, told):
    found = replace(find_registration("programs"), panels=reference)
    monkeypatch.setattr("mendel.ports.registration.find_registration", lambda name: replace(found, name=name, steps=()))
    (domain,) = [each for each in served_domains(Settings()) if each.name == "programs"]
    assert domain.form is not None
    assert domain.panels == ()
    with pytest.raises(BrokenPlugin, match=told):
        domain.open_panels()


def test_the_audit_of_programs_is_declared_and_leads_to_what_a_real_audit_has():
    (domain,) = [each for each in served_domains(Settings()) if each.name == "programs"]
    (panel,) = [each.model_dump() for each in domain.panels]
    proof = examples("answers")["get_final_proof"]
    outer, inner = paths_of(panel)
    words = re.findall(r"\{([^}:]+)", str(panel["parts"]))
    values = {path: value_at({"proof": proof}, path) for path in (*outer, *words, panel["when"]) if "." in path}
    assert all(value is not None for value in values.values())
    assert all(column in row for rows, column in inner for row in values[rows])
