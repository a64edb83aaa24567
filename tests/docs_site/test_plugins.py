"""The example of every page of docs/plugins, installed as a package and used as a user would use it."""

import json
import os
import re
import shutil
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from tests.api.served import serving
from tests.cli.conftest import alone, mendel
from tests.docs_site.pages import PAGES, ROOT, blocks, install
from tests.support import skip_or_fail

from mendel.conformance.embedder import EmbedderContract
from mendel.conformance.retriever import RetrieverContract
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, SandboxUnavailable
from mendel.contracts.evaluations import Case, Program
from mendel.ports.registry import GROUPS, plugins, resolve
from mendel.ports.retriever import RetrieverContext
from mendel.settings import load_settings
from mendel.wiring import open_sandbox

__all__ = ["alone", "mendel"]
EXAMPLES = "my-peas"
pytestmark = pytest.mark.xdist_group("docs_plugins")  # they are installed once


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """The examples on the path of this process and of those it starts."""
    target = tmp_path_factory.mktemp("site")
    install(tmp_path_factory.mktemp("package") / "project", target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(target), os.environ.get("PYTHONPATH")))))
        patch.syspath_prepend(target)
        yield target


@pytest.fixture
def bad_sort(tmp_path):
    return shutil.copy(ROOT / "examples" / "bad_sort.py", tmp_path / "bad_sort.py")


def test_every_group_that_mendel_fills_has_a_page_and_every_page_fills_its_group():
    ours = {plugin.group for plugin in plugins() if plugin.distribution == "mendel"}
    theirs = {plugin.group for plugin in plugins() if plugin.distribution == EXAMPLES}
    assert theirs == ours == {f"mendel.{page.stem}" for page in PAGES}


def test_the_overview_names_every_group():
    overview = (ROOT / "docs" / "plugins" / "index.md").read_text()
    assert set(re.findall(r"`(mendel\.[a-z_]+)`", overview)) >= set(GROUPS)


def test_every_example_loads(mendel):
    for plugin in (plugin for plugin in plugins() if plugin.distribution == EXAMPLES):
        told = mendel("plugin", "info", f"{plugin.group}:{plugin.name}", "--json").json["plugins"]
        assert [each["loads"] for each in told] == ["yes"]
        assert callable(resolve(plugin.group, plugin.name)) or plugin.group == "mendel.domains"


def test_peas_are_bred_by_their_handlers_and_the_youngest_become_parents(mendel, monkeypatch):
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "archive")
    monkeypatch.setenv("MENDEL_FABRIC__WORKERS", "1")
    done = mendel("run", "--domain", "peas", "--seed", 7, "--generations", 4, "--selector", "youngest", "--json")
    assert done.code == 0, done.err
    births = [event for event in _events(mendel) if event["type"] == "operation.started"]
    crossed = [
        event["payload"]["operation"] for event in births if event["payload"]["operation"]["step"] == "peas.cross"
    ]
    assert crossed
    assert all("the youngest of" in json.dumps(operation) for operation in crossed)
    best = max(row["total"] for row in mendel("show", "latest", "--view", "leaderboard", "--json").json["standings"])
    assert best >= 6.0


def test_peas_are_compared_with_their_whole_generation_founders_too(mendel, monkeypatch):
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "file")
    monkeypatch.setenv("MENDEL_FABRIC__WORKERS", "1")
    run = ("run", "--domain", "peas", "--seed", 7, "--generations", 1, "--set", "rows=5", "--set", "peas=4")
    assert mendel(*run, "--json").code == 0
    ended = [each["payload"] for each in _events(mendel) if each["type"] == "operation.completed"]
    compared = [each["findings"]["data"]["among"] for each in ended if each["step"] == "peas.compare"]
    assert compared == [4] * 5


@pytest.mark.slow
def test_peas_are_launched_by_their_form_and_measured_before_the_run(tmp_path):
    with serving(tmp_path) as server:
        (peas,) = (each for each in server.get("/api/domains").json() if each["name"] == "peas")
        (example,) = peas["form"]["examples"]
        run = server.until(server.launch({"domain": "peas", "inputs": example["inputs"], "rng_seed": 7}), "completed")
        length = 8 + Entropy(7, "draft").below(5, "length")
        assert run["config"]["domain_config"]["data"] == {"rows": 4, "peas": length}
        assert (run["config"]["caps"]["max_generations"], run["config"]["rng_seed"]) == (3, 7)
        best = server.get(f"/api/runs/{run['run_id']}/candidates").json()["candidates"][0]["candidate_id"]
        text = server.get(f"/api/runs/{run['run_id']}/candidates/{best}").json()["text"]["source"]
        assert re.fullmatch(rf"\d+ of {length} are round: [Rw]{{{length}}}\n", text)
        for inputs, code in (({"rows": 1}, "config"), ({"row": 4}, "config"), ({"seasons": 10**9}, "run_refused")):
            answer = server.post("/api/runs", {"domain": "peas", "inputs": inputs})
            assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_the_log_keeps_its_runs_where_its_page_says(mendel, tmp_path, monkeypatch):
    monkeypatch.setenv("MENDEL_FABRIC__WORKERS", "1")
    mendel("--log", "archive", "run", "--domain", "peas", "--seed", 1, "--generations", 1)
    (run,) = mendel("--log", "archive", "runs", "--json").json["runs"]
    assert [path.stem for path in (tmp_path / ".mendel" / "archive").glob("*.mendel")] == [run["run_id"]]


@pytest.mark.slow
def test_the_mutator_breeds_programs(mendel, bad_sort, monkeypatch):
    _needs_walls(mendel)
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "file")
    done = mendel(
        *("evolve", f"{bad_sort}:sort", "--mutator", "early_exit", "--candidates", 6, "--seed", 1),
        *("--no-best-of-n", "--json"),
    )
    assert done.code in (0, 3), done.err
    assert "leaves the loop of line" in json.dumps(_events(mendel))


@pytest.mark.slow
def test_the_offline_role_answers_the_question_of_a_mutator(mendel, bad_sort):
    _needs_walls(mendel)
    done = mendel("mutate", f"{bad_sort}:sort", "--models", "--route", "mutator=offline/counting.mutator", "--seed", 1)
    assert done.code == 0, done.err
    assert re.search(r"^\+.*\b2\b", done.out, re.MULTILINE)


async def test_the_sandbox_runs_a_program(tmp_path, monkeypatch):
    (settings,) = (block for block in blocks(_page("sandboxes"), "toml") if "mendel.toml" in block)
    (tmp_path / "mendel.toml").write_text(settings)
    monkeypatch.chdir(tmp_path)
    async with open_sandbox(load_settings().settings) as sandbox:
        assert type(sandbox).__name__ == "OneAtATime"
        try:
            evaluation = await sandbox.evaluate(Program.of("def add(a, b):\n    return a + b\n", "add"), [Case((1, 2))])
        except SandboxUnavailable as error:
            skip_or_fail(str(error))
    assert [outcome.value for outcome in evaluation.outcomes] == [3]


class House(BaseHTTPRequestHandler):
    """The server of the page: its own protocol, nobody else's."""

    answer: bytes

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ({"text": '{"total": 7324, "words": "7324 peas"}', "in": 5, "out": 3}, 0, "accepted"),
        ({"words": "none"}, 1, "unreadable"),
    ],
    ids=["answers", "answers something else"],
)
def test_the_wire_asks_the_server_in_the_house(mendel, tmp_path, answer, code, said):
    House.answer = json.dumps(answer).encode()
    server = ThreadingHTTPServer(("127.0.0.1", 0), House)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        (settings,) = (block for block in blocks(_page("llm_backends"), "toml") if "mendel.toml" in block)
        (tmp_path / "mendel.toml").write_text(settings.replace("9000", str(server.server_address[1])))
        done = mendel("models", "check", "--role", "mutator")
    finally:
        server.shutdown()
        server.server_close()
    assert (done.code, said in done.out) == (code, True)


class TestTheEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return resolve("mendel.embedders", "letters")


class TestTheRetriever(RetrieverContract):
    @pytest.fixture
    def open_retriever(self, tmp_path):
        return partial(_notes, tmp_path)


def test_a_retriever_without_its_folder_says_what_to_set():
    with pytest.raises(ConfigError, match=r"retrieval\.corpus"):
        resolve("mendel.retrievers", "notes")(RetrieverContext())


def _notes(folder, passages):
    """The retriever of the page over a folder with exactly these passages."""
    corpus = folder / f"notes{len(list(folder.iterdir()))}"
    corpus.mkdir()
    for passage in passages:
        (corpus / f"{passage.title}.txt").write_text(f"{passage.uri}\n{passage.text}")
    return resolve("mendel.retrievers", "notes")(RetrieverContext(corpus=corpus))


def _page(group):
    (page,) = (page for page in PAGES if page.stem == group)
    return page


def _events(mendel):
    return mendel("events", "latest", "--json").json["events"]


def _needs_walls(mendel):
    if mendel("sandbox", "doctor").code != 0:
        skip_or_fail("no sandbox can be had here: `mendel sandbox doctor` says why")
