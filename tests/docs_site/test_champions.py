"""The domain of the page on champions, installed as a package of its own and run as its user would run it."""

import os

import pytest
from tests.cli.conftest import alone, mendel
from tests.docs_site.pages import CHAMPIONS, install_champions

from mendel.kernel import moves
from mendel.kernel.dossier import Dossier, Observation

__all__ = ["alone", "mendel"]
pytestmark = pytest.mark.xdist_group("docs_plugins")


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """The beans on the path of this process and of those it starts."""
    target = tmp_path_factory.mktemp("site")
    install_champions(tmp_path_factory.mktemp("package") / "project", target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(target), os.environ.get("PYTHONPATH")))))
        patch.setenv("MENDEL_LOG__BACKEND", "file")
        patch.setenv("MENDEL_FABRIC__WORKERS", "1")
        patch.syspath_prepend(target)
        yield


def test_beans_load(mendel):
    assert mendel("plugin", "info", "mendel.domains:beans", "--json").json["plugins"][0]["loads"] == "yes"


@pytest.mark.slow
def test_beans_are_examined_scored_challenged_adopted_and_confirmed_in_either_niche(mendel):
    run = ("run", "--domain", "beans", "--problem", "beans", "--generations", "6", "--population", "8", "--json")
    (first,) = mendel(*run, "--seed", "7").json["runs"]
    assert (first["status"], first["failed_steps"]) == ("completed", [])
    assert {*first["niches"]} == {"beans:beans", "beans:beans in red"}
    assert all(niche["champion"] is not None and niche["ours"] for niche in first["niches"].values()), first["niches"]
    kinds = [each["type"] for each in mendel("events", first["run_id"], "--json").json["events"]]
    assert {"gate.verdict", "adoption.made", "adoption.confirmed"} <= {*kinds}, sorted({*kinds})
    assert mendel("replay", first["run_id"]).code == 0

    (second,) = mendel(*run, "--seed", "8", "--from", first["run_id"]).json["runs"]
    assert {*second["niches"]} == {*first["niches"]}
    assert all(second["niches"][name]["challenges"] >= each["challenges"] for name, each in first["niches"].items())


def test_the_tables_name_every_move_with_its_fields_and_every_field_of_a_dossier():
    page = CHAMPIONS.read_text()
    (of_moves, of_dossier) = (
        page.partition(f"## {title}\n")[2].partition("\n## ")[0] for title in ("Moves", "The dossier")
    )
    for move in moves.Move.__args__:
        (row,) = [line for line in of_moves.splitlines() if line.startswith(f"| `{move.__name__}` |")]
        assert all(f"`{field}`" in row for field in move.model_fields), row
    assert all(f"`{field}`" in of_dossier for field in Dossier.__dataclass_fields__ if field != "observations")
    seen = {"findings", "failed", "degraded", "usage", "refs", "kind"}
    assert seen | {"step"} == {*Observation.__dataclass_fields__}
