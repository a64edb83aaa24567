"""The page's files, and nothing else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from mendel.api import page_files, problems

INDEX = "<!doctype html><title>Mendel</title>"
SCRIPT = "export const answer = 42;"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "app-1a2b.js").write_text(SCRIPT)
    (tmp_path / "secret.txt").write_text("not to be had")
    return folder


def client_of(folder: Path | None) -> TestClient:
    app = FastAPI()
    problems.install(app)
    page_files.install(app, folder)
    return TestClient(app)


@pytest.mark.parametrize("path", ["/", "/launch", "/runs/01a1e661-34db-7434-80e2-3a9766b7dace/replay"])
def test_every_address_of_the_page_is_answered_with_the_document(built, path):
    answer = client_of(built).get(path)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["cache-control"] == "no-cache"


def test_what_has_a_hash_in_its_name_is_kept_for_ever(built):
    answer = client_of(built).get("/assets/app-1a2b.js")
    assert answer.text == SCRIPT
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


def test_it_is_packed_for_whoever_can_unpack_it(built):
    client = client_of(built)
    with client.stream("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(packed.iter_raw())).decode() == SCRIPT
    plain = client.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == SCRIPT


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/assets/missing.js",
        "/api/nothing",
        "//etc/passwd.txt",
    ],
)
def test_nothing_else_can_be_had(built, path):
    answer = client_of(built).get(path)
    assert answer.status_code == 404
    assert "not to be had" not in answer.text
    assert answer.json()["code"] == "not_found"


def test_without_a_page_it_says_how_to_get_one():
    answer = client_of(None).get("/")
    assert answer.status_code == 503
    assert "make page" in answer.text
