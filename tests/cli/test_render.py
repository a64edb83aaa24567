"""`mendel render` at the command line: templates as tasks, all files or none."""

import os
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tests.cli.conftest import WORKERS

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.tasks import TaskKind
from mendel.contracts.work import TaskPayload
from mendel.domains.programs.front import render as rendering
from mendel.domains.programs.rendering import RENDER, FileToRender, render, render_task, rendered
from mendel.ports.registry import plugins

pytestmark = pytest.mark.usefixtures("one_worker")

RUN = "018f0000-0000-7000-8000-000000000000"


def test_the_handler_is_registered_under_the_name_of_its_step():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'"{RENDER}" = "mendel.domains.programs.rendering:render"' in text


@pytest.fixture(scope="module", autouse=True)
def registered(tmp_path_factory):
    """An installation that is older than this handler gets its entry points from a copy of its metadata."""
    if RENDER in {plugin.name for plugin in plugins("mendel.task_handlers")}:
        yield
        return
    folder = tmp_path_factory.mktemp("metadata")
    known = distribution("mendel")
    info = folder / f"mendel-{known.version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(known.read_text("METADATA"))
    entries = known.read_text("entry_points.txt")
    handler = "[mendel.task_handlers]\nprograms.render = mendel.domains.programs.rendering:render\n"
    (info / "entry_points.txt").write_text(entries.replace("[mendel.task_handlers]\n", handler))
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), before)))
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))
    os.environ["PYTHONPATH"] = before


@pytest.fixture
def project(tmp_path):
    """Writes templates into the folder `proj`."""

    def project(**texts):
        for name, text in texts.items():
            path = tmp_path / "proj" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path / "proj"

    return project


def files(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


# --- what it makes ---------------------------------------------------------------------------------------------


def test_a_folder_becomes_files_of_the_same_names(mendel, project, tmp_path):
    project(
        **{
            "README.md.j2": "# {{ name }}\n",
            "src/{{ name }}/__init__.py.j2": '"""{{ title | upper }}"""\n{% include "parts/head.txt" %}',
            "parts/head.txt": "NAMES = {{ names }}\n",
            "unused.bin": "\0",
        }
    )
    done = mendel("render", "proj", "--set", "name=peas", "--set", "title=Peas", "--set", "names=[1, 2]", "--out", "o")
    assert done.code == 0, done.err
    assert files(tmp_path / "o") == {
        "README.md": "# peas\n",
        "src/peas/__init__.py": '"""PEAS"""\nNAMES = [1, 2]\n',
    }
    assert done.out.splitlines() == ["o/README.md", "o/src/peas/__init__.py"]


def test_a_file_lists_files_and_values_and_flags_win(mendel, project, tmp_path):
    project(
        **{
            "one.j2": "{{ a }} {{ b.c }} {{ d }} {{ when }}",
            "project.toml": (
                '[values]\na = "project"\nd = "project"\nwhen = 2024-02-03\nb = {c = "project"}\n'
                '[[files]]\ntemplate = "one.j2"\npath = "{{ a }}.txt"\nvalues = {d = "file"}\n'
                '[[files]]\ntemplate = "one.j2"\npath = "deep/er/two.txt"\n'
            ),
        }
    )
    (tmp_path / "v.toml").write_text('a = "values"\n[b]\nc = "values"\n')
    done = mendel("render", "proj/project.toml", "--values", "v.toml", "--set", "b.c=set", "--out", "o", "--json")
    assert done.code == 0, done.err
    assert done.json == {"folder": "o", "files": ["deep/er/two.txt", "values.txt"]}
    assert files(tmp_path / "o") == {
        "values.txt": "values set file 2024-02-03",
        "deep/er/two.txt": "values set project 2024-02-03",
    }


def test_without_a_folder_the_outputs_of_mendel_take_it(mendel, project, tmp_path):
    project(**{"a.txt.j2": "a"})
    assert mendel("render", "proj").code == 0
    assert files(tmp_path / "mendel-out") == {"proj/a.txt": "a"}


def test_ends_of_lines_are_kept(mendel, project, tmp_path):
    project(**{"a.j2": "{{ x }}\r\nb\r\n", "b.j2": "{{ x }}\nb\n", "c.j2": "{{ x }}"})
    mendel("render", "proj", "--set", "x=1", "--out", "o")
    assert [(tmp_path / "o" / name).read_bytes() for name in "abc"] == [b"1\r\nb\r\n", b"1\nb\n", b"1"]


def test_templates_extend_and_import_one_another_by_computed_names_too(mendel, project, tmp_path):
    project(
        **{
            "base.html": "<{% block inner %}{% endblock %}>",
            "macros.txt": "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}",
            "a.html.j2": '{% extends "base.html" %}{% block inner %}{{ x }}{% endblock %}',
            "b.txt.j2": "{% from kind ~ '.txt' import twice %}{{ twice(x) }}",
        }
    )
    done = mendel("render", "proj", "--set", "x=5", "--set", "kind=macros", "--out", "o")
    assert done.code == 0, done.err
    assert files(tmp_path / "o") == {"a.html": "<5>", "b.txt": "55"}


def test_every_file_is_one_task_of_the_kind_render_and_carries_what_it_needs_only(project):
    folder = project(**{"a.j2": "{% include 'part' %}", "b.j2": "b", "part": "{{ x }}"})
    first, second = rendering._project(folder, {"x": 1})
    assert (sorted(first.templates), sorted(second.templates)) == (["a.j2", "part"], ["b.j2"])
    task = render_task(first, RUN, 0)
    assert task.kind is TaskKind.RENDER
    assert task.payload["handler"] == RENDER
    answer = render(TaskPayload.model_validate(task.payload).work)
    assert (rendered(answer).path, rendered(answer).text) == ("a", "1")


# --- what fails ------------------------------------------------------------------------------------------------


FAILING = (
    ("01.txt.j2", "one\ntwo {{ nobody }}\n", "01.txt.j2, line 2: 'nobody' is undefined"),
    ("02.txt.j2", "{% if nobody %}{% endif %}", "02.txt.j2, line 1: 'nobody' is undefined"),
    ("03.txt.j2", "\n\n{{ given.nothing }}", "03.txt.j2, line 3: 'str object' has no attribute 'nothing'"),
    ("04.txt.j2", "one\n{% for %}", "04.txt.j2, line 2: "),
    ("05.txt.j2", "{{ 1 / 0 }}", "05.txt.j2, line 1: ZeroDivisionError"),
    ("06.txt.j2", "{% include 'gone.txt' %}", "there is no template 'gone.txt'"),
    ("07.txt.j2", "\n{% include 'part.txt' %}", "part.txt, line 2: 'inner' is undefined"),
    ("08.txt.j2", "{{ ''.__class__.__mro__ }}", "08.txt.j2, line 1: access to attribute '__class__'"),
    ("09.txt.j2", "{{ given.format.__globals__ }}", "09.txt.j2, line 1: "),
    ("10.txt.j2", "{% for x in range(10000000) %}{% endfor %}", "Range too big"),
    ("{{ nobody }}.txt.j2", "x", "{{ nobody }}.txt.j2, its name: 'nobody' is undefined"),
    ("{{ up }}x.txt.j2", "x", "'../x.txt' is not a file within the folder"),
    ("{{ root }}x.txt.j2", "x", "'/x.txt' is not a file within the folder"),
    ("{{ line }}x.txt.j2", "x", r"'a\nbx.txt' is not a file within the folder"),
    ("{{ nothing }}.j2", "x", "'' is not a file within the folder"),
)


def test_every_template_that_fails_is_named_and_nothing_is_written(mendel, project, tmp_path):
    project(**{name: text for name, text, _ in FAILING}, **{"fine.txt.j2": "fine", "part.txt": "\n{{ inner }}"})
    (tmp_path / "v.toml").write_text('given = "g"\nup = "../"\nroot = "/"\nline = "a\\nb"\nnothing = ""\n')
    refused = mendel("render", "proj", "--values", "v.toml", "--out", "o")
    assert (refused.code, refused.out) == (1, "")
    assert f"{len(FAILING)} of {len(FAILING) + 1} files failed, so nothing was written" in refused.err
    assert [words for _, _, words in FAILING if words not in refused.err] == []
    assert not (tmp_path / "o").exists()


def test_every_file_that_fails_is_told(mendel, project):
    project(**{"a.j2": "{{ x }}", "b.j2": "{{ y }}", "c.j2": "c"})
    told = mendel("render", "proj", "--json")
    assert told.code == 1
    message = told.json["error"]["message"]
    assert "2 of 3" in message
    assert all(words in message for words in ("a.j2, line 1: 'x' is undefined", "b.j2, line 1: 'y' is undefined"))


def test_a_template_without_end_is_stopped(mendel, project, monkeypatch, tmp_path):
    monkeypatch.setattr(rendering, "DEADLINE_MS", 1_500)
    loop = "{% for a in range(99999) %}" * 3 + "{% set b = a %}" + "{% endfor %}" * 3
    project(**{"a.j2": loop, "b.j2": "b"})
    refused = mendel("render", "proj", "--out", "o")
    assert refused.code == 1
    assert "a.j2: the handler was stopped after 1.5 s" in refused.err
    assert not (tmp_path / "o").exists()


def test_a_file_without_measure_is_refused():
    text = "{% for a in range(9999) %}{{ 'x' * 9999 }}{% endfor %}"
    wanted = FileToRender(template="a.j2", path="a", templates={"a.j2": text}, values={})
    with pytest.raises(HandlerFailed, match="more than 16,000,000 characters"):
        render(TaskPayload.model_validate(render_task(wanted, RUN, 0).payload).work)


# --- what is there already -------------------------------------------------------------------------------------


def test_nothing_is_overwritten_unless_forced(mendel, project, tmp_path):
    project(**{"a.txt.j2": "new", "b.txt.j2": "new"})
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "b.txt").write_text("mine")
    (tmp_path / "o" / "c.txt").write_text("mine")
    refused = mendel("render", "proj", "--out", "o")
    assert refused.code == 2
    assert "already exists: o/b.txt; --force" in refused.err
    assert files(tmp_path / "o") == {"b.txt": "mine", "c.txt": "mine"}
    assert mendel("render", "proj", "--out", "o", "--force").code == 0
    assert files(tmp_path / "o") == {"a.txt": "new", "b.txt": "new", "c.txt": "mine"}


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_no_link_leads_out_of_the_folder(mendel, project, tmp_path, force):
    project(**{"sub/a.txt.j2": "new"})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "sub").symlink_to(tmp_path / "elsewhere")
    refused = mendel("render", "proj", "--out", "o", *force)
    assert (refused.code, files(tmp_path / "elsewhere")) == (2, {})
    assert "through a link" in refused.err


def test_a_link_in_the_place_of_a_file_is_not_followed(mendel, project, tmp_path):
    project(**{"a.txt.j2": "new"})
    (tmp_path / "o").mkdir()
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "o" / "a.txt").symlink_to(tmp_path / "mine.txt")
    assert mendel("render", "proj", "--out", "o", "--force").code == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"a{{ x }}.j2": "", "a1.j2": ""}, "two templates produce o/a1"),
        ({"a.j2": "", "a/b.j2": ""}, "its folder has the name of a file"),
        ({"taken.j2": ""}, "o/taken is an existing folder"),
        ({"file/b.j2": ""}, "its folder has the name of a file"),
    ],
)
def test_places_that_cannot_be_are_told(mendel, project, tmp_path, texts, words):
    project(**texts)
    (tmp_path / "o" / "taken").mkdir(parents=True)
    (tmp_path / "o" / "file").write_text("")
    refused = mendel("render", "proj", "--set", "x=1", "--out", "o", "--force")
    assert refused.code == 2
    assert words in refused.err


def test_a_disk_that_refuses_midway_leaves_everything_as_it_was(mendel, project, tmp_path, monkeypatch):
    project(**{"a.txt.j2": "new", "new/b.txt.j2": "new", "z.txt.j2": "new"})
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "a.txt").write_text("mine")
    replace = Path.replace

    def failing(path, target):
        if Path(target).name == "z.txt":
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    refused = mendel("render", "proj", "--out", "o", "--force")
    assert refused.code == 4
    assert "No space left" in refused.err
    assert files(tmp_path / "o") == {"a.txt": "mine"}
    assert [path.name for path in (tmp_path / "o").iterdir()] == ["a.txt"]


# --- what is wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere",), "nowhere cannot be read"),
        (("empty",), "has no template"),
        (("proj", "--set", "x"), "KEY=VALUE"),
        (("proj", "--values", "gone.toml"), "gone.toml cannot be read"),
        (("proj", "--values", "bad.toml"), "bad.toml: not valid TOML"),
        (("proj", "--values", "nan.toml"), "nan.toml: x is nan"),
        (("bad.toml",), "bad.toml: not valid TOML"),
        (("none.toml",), "none.toml: files: Field required"),
        (("odd.toml",), "files.0.tmplate: Extra"),
        (("out.toml",), "'../x.j2' lies outside"),
        (("latin",), "not UTF-8 text"),
    ],
)
def test_what_is_wrong_with_a_project_is_said(mendel, project, tmp_path, arguments, words):
    project(**{"a.j2": ""})
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin").mkdir()
    (tmp_path / "latin" / "a.j2").write_bytes(b"\xff")
    for name, text in {
        "bad.toml": "x =",
        "nan.toml": "x = nan",
        "none.toml": "",
        "odd.toml": "[[files]]\ntmplate = 'a.j2'",
        "out.toml": "[[files]]\ntemplate = '../x.j2'",
    }.items():
        (tmp_path / name).write_text(text)
    refused = mendel("render", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err
    assert not (tmp_path / "mendel-out").exists()


def test_many_files_are_rendered_as_one_would_be(mendel, project, tmp_path, monkeypatch):
    monkeypatch.delenv(WORKERS)
    draws = Entropy(1)
    texts = {f"{number}.txt.j2": f"{{{{ x }}}} {draws.below(1_000, number)}" for number in range(60)}
    project(**texts)
    assert mendel("render", "proj", "--set", "x=9", "--out", "o").code == 0
    expected = {name.removesuffix(".j2"): text.replace("{{ x }}", "9") for name, text in texts.items()}
    assert files(tmp_path / "o") == expected


def test_nothing_is_recorded(mendel, project, tmp_path):
    project(**{"a.j2": ""})
    mendel("render", "proj", "--out", "o")
    assert not (tmp_path / ".mendel").exists()
