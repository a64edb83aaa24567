"""The OpenAPI document is complete: examples that fit their schemas, every refusal, and who needs a token."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import jsonschema
from pydantic import SecretStr
from tests.api.openapi import written
from tests.api.reading import NO_LIMITS, Observatory, observatory
from tests.support.rows import check_rows

import mendel
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api.description.operations import Operation, operations
from mendel.api.examples import examples
from mendel.api.policy import Limits, Policy
from mendel.api.problems import PROBLEM

DOCUMENT = written()
OPERATIONS = list(operations(DOCUMENT))
TOKEN = "nobody-guesses-this-0123456789abcdef"
RUN_ID = "01980000-0000-7000-8000-0000000000ff"
OPEN = ("/healthz", "/readyz")
WITHOUT_A_KEY = [(400, "idempotency_key_required"), (503, "only_reads")]
every_operation = check_rows("operation", OPERATIONS)


def resolved(told):
    if "$ref" not in told:
        return told
    found = DOCUMENT
    for part in told["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found


def shown(content):
    """The examples of a content."""
    named = [resolved(each)["value"] for each in content.get("examples", {}).values()]
    return [*named, content["example"]] if "example" in content else named


def fits(example, schema):
    jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(example)


def contents(operation):
    """Everything that is sent or answered: a word for it, its media type, and its content."""
    for kind, content in operation.told.get("requestBody", {}).get("content", {}).items():
        yield "request", kind, content
    for status, answer in operation.told["responses"].items():
        for kind, content in answer.get("content", {}).items():
            yield status, kind, content


@every_operation
def test_whatever_is_sent_or_answered_has_an_example_that_fits_its_schema(operation):
    for what, _, content in contents(operation):
        assert shown(content), f"{what} has no example; python -m tests.api.exemplify makes them"
        for example in shown(content):
            fits(example, content.get("schema", {}))


@every_operation
def test_every_example_of_a_parameter_fits_its_schema(operation):
    for parameter in operation.parameters:
        known = [parameter["example"]] if "example" in parameter else parameter["schema"].get("examples", [])
        for example in known:
            fits(example, parameter["schema"])
        assert known or not parameter["required"], parameter["name"]


@every_operation
def test_every_refusal_is_a_problem_with_an_example_of_each_of_its_codes(operation):
    for status, kind, content in contents(operation):
        if status.startswith(("4", "5")) and operation.path != "/readyz":
            assert kind == PROBLEM
            assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
            assert {each["code"] for each in shown(content)} == set(content["examples"])
            assert {each["status"] for each in shown(content)} == {int(status)}


def test_an_example_of_each_schema_fits_it():
    for schema in DOCUMENT["components"]["schemas"].values():
        for example in schema.get("examples", ()):
            fits(example, schema)


def test_every_code_of_an_example_is_one_that_the_code_has():
    files = [path for path in Path(mendel.__file__).parent.rglob("*.py") if path.parent.name != "description"]
    sources = "\n".join(path.read_text() for path in files)
    unknown = {code for code in examples("problems") if f'"{code}"' not in sources}
    assert unknown <= {"bad_request", "request_timeout"}  # named after their statuses


def test_no_example_is_left_over():
    used = re.findall(r"'#/components/examples/([^']+)'", str(DOCUMENT["paths"]))
    assert set(used) == set(DOCUMENT["components"]["examples"])
    assert set(examples("problems")) <= set(used)


def test_operations_have_names_that_last():
    names = [each.told["operationId"] for each in OPERATIONS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)
    assert {"list_runs", "launch_run", "get_run", "get_run_of_file", "stop_run", "stream_run"} <= set(names)


def test_every_group_is_described():
    described = {tag["name"] for tag in DOCUMENT["tags"] if tag["description"]}
    assert {tag for each in OPERATIONS for tag in each.told["tags"]} == described
    assert DOCUMENT["servers"] == [{"url": "/", "description": "The server that serves this document."}]


# --- what is said is what happens ----------------------------------------------------------------------------------


async def answered(asked: Observatory, operation: Operation, headers=None, query: str = ""):
    """How a server answers to the operation; what is put into its path is nowhere."""
    path = operation.path.format(run_id=RUN_ID, cid="x", file_id="0123456789abcdef", report_id="x")
    return await asked.client.request(operation.method, path + query, headers=headers)


def told(operation: Operation, answer):
    """What it answered, if that is declared."""
    declared = operation.told["responses"][str(answer.status_code)]["content"][PROBLEM]["examples"]
    assert answer.json()["code"] in declared
    return answer.status_code, answer.json()["code"]


@check_rows(("token", "read_token"), [(None, False), (TOKEN, False), (TOKEN, True)])
async def test_the_document_says_truly_where_a_token_is_needed(token, read_token):
    policy = replace(NO_LIMITS, token=SecretStr(token) if token else None, read_token=read_token)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with observatory(MemoryEventLog(), policy=policy) as asked:
        said = (await asked.client.get("/api/openapi.json", headers=headers)).json()
        assert said["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
        for operation in operations(said):
            needed = operation.told["security"] == [{"token": []}]
            answer = await answered(asked, operation)
            assert (answer.status_code == 401) is needed, operation.path
            assert (await answered(asked, operation, headers)).status_code != 401
            if needed:
                assert told(operation, answer) == (401, "token_required")
            else:
                assert operation.told["security"] == ([] if operation.path in OPEN else [{}, {"token": []}])


async def test_what_any_operation_refuses_is_declared():
    large = {"Content-Length": str(1 << 40), "Content-Type": "application/json"}
    async with observatory(MemoryEventLog()) as asked:
        for each in OPERATIONS:
            assert told(each, await answered(asked, each, {"Host": "evil.example"})) == (421, "unknown_host")
            assert told(each, await answered(asked, each, large)) == (413, "content_too_large")
            if each.path.startswith("/api/"):
                assert told(each, await answered(asked, each, query="?unheard_of=1")) == (422, "invalid_request")


async def test_who_comes_too_often_is_refused_as_declared():
    none = Limits(reads_per_s=1e-9, reads_at_once=0, writes_per_s=1e-9, writes_at_once=0)
    async with observatory(MemoryEventLog(), policy=Policy(limits=none)) as asked:
        for each in OPERATIONS:
            assert told(each, await answered(asked, each)) == (429, "too_many_requests")


async def test_what_is_not_there_is_declared():
    async with observatory(MemoryEventLog()) as asked:
        for number, each in enumerate(OPERATIONS):
            answer = await answered(asked, each, {"Idempotency-Key": f"key {number}"})
            code = told(each, answer)[1] if answer.is_error else None
            if "{file_id}" in each.path:
                assert code == "file_not_open"
            elif "{run_id}" in each.path and each.method == "GET":
                assert code == "run_not_found"


async def test_how_a_change_is_refused_is_declared():
    async with observatory(MemoryEventLog()) as asked:
        for each in [each for each in OPERATIONS if each.has("idempotency-key")]:
            strange = await answered(asked, each, {"Origin": "https://evil.example"})
            assert told(each, strange) == (403, "cross_site")
            assert told(each, await answered(asked, each, {"Content-Length": "1"})) == (415, "unsupported_media_type")
            assert told(each, await answered(asked, each)) in WITHOUT_A_KEY


async def test_a_body_that_is_no_text_is_refused_as_declared():
    operation = next(each for each in OPERATIONS if each.name == "estimate_run")
    async with observatory(MemoryEventLog()) as asked:
        headers = {"Content-Type": "application/json"}
        answer = await asked.client.post(operation.path, content=b'"\xff"', headers=headers)
    assert told(operation, answer) == (400, "bad_request")
