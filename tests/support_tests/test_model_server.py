"""Every API of the model server through a real socket, from plain HTTP and from the providers' own clients."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import jsonschema
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.support.model_server import FAULTS, ModelServer, started_server
from tests.support.model_server.__main__ import FAULTS_TOLD
from tests.support.model_server.brains import BRAINS, brain_named
from tests.support_tests.talking import PATHS, SCORE, TLS, RawClient, asking, request_bytes, said, stopped

ROOT = Path(__file__).parents[2]
KEY = "sk-planted-0123456789"
by_api = pytest.mark.parametrize("api", list(PATHS))


@asynccontextmanager
async def served(brain="echo", **options):
    """A client of a server of its own."""
    async with (
        ModelServer(brain, **options) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False, verify=TLS) as client,
    ):
        yield client


@pytest.fixture
async def server():
    async with ModelServer("schema") as running:
        yield running


@pytest.fixture
async def client(server):
    async with httpx.AsyncClient(base_url=server.url, trust_env=False, verify=TLS) as talking:
        yield talking


# --- HTTP ------------------------------------------------------------------------------------------------------------


async def test_one_connection_takes_many_requests_and_requests_in_one_piece(server):
    raw = await RawClient.to(server.url)
    one = request_bytes(PATHS["openai"], asking("openai"))
    await raw.send(one + one + one[:40])
    first, second = await raw.response(), await raw.response()
    await raw.send(one[40:])
    third = await raw.response()
    assert first[0] == second[0] == third[0] == 200
    assert server.count == 3
    await raw.close()


async def test_bytes_that_come_one_by_one_are_a_request_too(server):
    raw = await RawClient.to(server.url)
    for byte in request_bytes("/v1/models", None, "GET"):
        await raw.send(bytes([byte]))
    assert (await raw.response())[0] == 200
    await raw.close()


async def test_a_connection_is_closed_if_the_client_says_so(server):
    raw = await RawClient.to(server.url)
    await raw.send(request_bytes("/v1/models", None, "GET", connection="close"))
    assert (await raw.rest()).startswith(b"HTTP/1.1 200 OK")
    await raw.close()


async def test_who_waits_for_leave_to_send_a_body_gets_it(server):
    raw = await RawClient.to(server.url)
    whole = request_bytes(PATHS["openai"], asking("openai"), expect="100-continue")
    head, body = whole.split(b"\r\n\r\n", 1)
    await raw.send(head + b"\r\n\r\n")
    assert await raw.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    await raw.send(body)
    assert (await raw.response())[0] == 200
    await raw.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"HELO\r\n\r\n",
        b"GET / HTTP/2\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"x" * 70_000,
    ],
)
async def test_what_is_no_request_is_answered_400_and_the_connection_closed(server, sent):
    raw = await RawClient.to(server.url)
    await raw.send(sent)
    assert (await raw.rest()).startswith(b"HTTP/1.1 400 ")
    await raw.close()


@given(junk=st.binary(max_size=200))
async def test_no_bytes_stop_the_server(junk):
    async with served() as client:
        raw = await RawClient.to(str(client.base_url))
        await raw.send(junk)
        await raw.close()
        assert (await client.get("/v1/models")).status_code == 200


@by_api
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"{}", b'{"model": 7}', b'{"model": "m", "messages": [7]}'])
async def test_a_body_that_is_no_question_is_refused_in_the_api_s_words(client, api, body):
    answer = await client.post(PATHS[api], content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


async def test_what_is_not_there_is_not_found(client):
    assert (await client.get("/v1/nothing")).status_code == 404
    assert (await client.get(PATHS["openai"])).status_code == 404
    assert (await client.post("/__nothing")).status_code == 404


async def test_a_brain_that_fails_is_an_error_of_the_server_and_leaves_it_standing():
    class Broken:
        def answer(self, messages, schema, tools):
            raise KeyError("gone")

    async with served(Broken()) as client:
        assert (await client.post(PATHS["openai"], json=asking("openai"))).status_code == 500
        assert (await client.get("/v1/models")).status_code == 200


# --- every API -------------------------------------------------------------------------------------------------------


@by_api
async def test_a_structured_answer_fits_its_schema_and_depends_on_the_prompt(client, api):
    answers = []
    for prompt in ("one", "two", "one"):
        answer = await client.post(PATHS[api], json=asking(api, prompt))
        assert answer.status_code == 200
        answers.append(said(api, answer.json()))
        jsonschema.validate(json.loads(answers[-1]), SCORE)
    assert answers[0] == answers[2] != answers[1]


@by_api
async def test_plain_text_is_plain(client, api):
    answer = (await client.post(PATHS[api], json=asking(api, schema=None))).json()
    assert said(api, answer)
    assert stopped(api, answer) in {"stop", "end_turn"}


@by_api
async def test_an_answer_longer_than_its_tokens_is_cut_and_says_so(client, api):
    body = asking(api, schema=None) | {"max_tokens": 1, "options": {"num_predict": 1}}
    answer = (await client.post(PATHS[api], json=body)).json()
    assert len(said(api, answer)) == 4
    assert stopped(api, answer) in {"length", "max_tokens"}


@by_api
async def test_usage_is_told(client, api):
    answer = (await client.post(PATHS[api], json=asking(api, "x" * 400))).json()
    told = answer.get("usage") or {"in": answer["prompt_eval_count"], "out": answer["eval_count"]}
    tokens_in, tokens_out, *_total = told.values()
    assert tokens_in == 100
    assert tokens_out > 0


@by_api
async def test_a_stream_brings_the_same_as_an_answer_in_one_piece(client, api):
    whole = said(api, (await client.post(PATHS[api], json=asking(api))).json())
    async with client.stream("POST", PATHS[api], json=asking(api, stream=True)) as answer:
        assert answer.status_code == 200
        lines = [line async for line in answer.aiter_lines() if line]
    assert json.loads(_joined(api, lines)) == json.loads(whole)
    assert len(lines) > 4


def _joined(api, lines):
    if api == "ollama":
        return "".join(orjson.loads(line)["message"]["content"] for line in lines)
    events = [orjson.loads(line[6:]) for line in lines if line.startswith("data: {")]
    if api == "openai":
        assert lines[-1] == "data: [DONE]"
        return "".join(each["choices"][0]["delta"].get("content") or "" for each in events if each["choices"])
    return "".join(each["delta"].get("partial_json", "") for each in events if each["type"] == "content_block_delta")


@by_api
async def test_a_key_is_asked_for_and_checked(api):
    headers = {"x-api-key": KEY} if api == "anthropic" else {"authorization": f"Bearer {KEY}"}
    async with served(key=KEY) as client:
        for wrong in ({}, {name: value + "x" for name, value in headers.items()}):
            refused = await client.post(PATHS[api], json=asking(api), headers=wrong)
            assert refused.status_code == 401
            assert KEY not in refused.text
        assert (await client.post(PATHS[api], json=asking(api), headers=headers)).status_code == 200


@by_api
async def test_only_the_models_that_are_named_exist(api):
    async with served(models=["other"]) as client:
        assert (await client.post(PATHS[api], json=asking(api))).status_code == 404
        assert (await client.post(PATHS[api], json=asking(api) | {"model": "other"})).status_code == 200
        assert [each["id"] for each in (await client.get("/v1/models")).json()["data"]] == ["other"]
        assert [each["name"] for each in (await client.get("/api/tags")).json()["models"]] == ["other"]


@by_api
async def test_a_schema_told_in_words_is_followed(client, api):
    system = f"Answer in JSON. It must fit this JSON Schema:\n{json.dumps(SCORE)}"
    body = asking(api, schema=None)
    if api == "anthropic":
        body["system"] = system
    else:
        body["messages"].insert(0, {"role": "system", "content": system})
    jsonschema.validate(json.loads(said(api, (await client.post(PATHS[api], json=body)).json())), SCORE)


# --- OpenAI ----------------------------------------------------------------------------------------------------------


async def openai_error(client, **changed):
    answer = await client.post(PATHS["openai"], json=asking("openai") | changed)
    assert answer.status_code == 400
    return answer.json()["error"]


def strictly(schema):
    return {"type": "json_schema", "json_schema": {"name": "S", "schema": schema, "strict": True}}


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "array", "items": {}}, "'type: \"object\"'"),
        ({"anyOf": [SCORE, SCORE]}, "'type: \"object\"'"),
        ({**SCORE, "required": ["score"]}, "Missing 'why'"),
        ({**SCORE, "additionalProperties": True}, "additionalProperties"),
        ({k: v for k, v in SCORE.items() if k != "additionalProperties"}, "additionalProperties"),
        ({**SCORE, "properties": {"score": {"oneOf": [{}]}, "why": {}}}, "oneOf"),
        ({**SCORE, "$defs": {"Inner": {"type": "object", "properties": {"a": {}}}}}, "('$defs', 'Inner')"),
    ],
)
async def test_a_schema_outside_the_strict_subset_is_refused(client, schema, word):
    error = await openai_error(client, response_format=strictly(schema))
    assert error["type"] == "invalid_request_error"
    assert error["param"] == "response_format"
    assert word in error["message"]


async def test_a_property_may_be_called_like_a_keyword(client):
    schema = {
        **SCORE,
        "properties": {"oneOf": {"type": "string"}, "type": {"type": "string"}},
        "required": ["oneOf", "type"],
    }
    answer = await client.post(PATHS["openai"], json=asking("openai", schema=schema))
    assert answer.status_code == 200


async def test_a_lenient_server_takes_any_schema_of_an_object():
    async with served(strict=False) as client:
        body = asking("openai", schema={**SCORE, "required": []})
        assert (await client.post(PATHS["openai"], json=body)).status_code == 200


async def test_json_mode_has_to_be_announced_in_words(client):
    assert "json" in (await openai_error(client, response_format={"type": "json_object"}))["message"]
    body = asking("openai", "Answer in JSON.") | {"response_format": {"type": "json_object"}}
    assert json.loads(said("openai", (await client.post(PATHS["openai"], json=body)).json())) == {}


async def test_answers_have_request_ids_of_their_own(client):
    answers = [await client.post(PATHS["openai"], json=asking("openai")) for _ in range(2)]
    assert len({answer.headers["x-request-id"] for answer in answers}) == 2


SEARCH = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


async def test_tools_are_called_and_their_results_end_the_calling():
    body = asking("openai", schema=None)
    body["tools"] = [{"type": "function", "function": {"name": "web_search", "parameters": SEARCH}}]
    async with served("tools") as client:
        first = (await client.post(PATHS["openai"], json=body)).json()["choices"][0]
        assert first["finish_reason"] == "tool_calls"
        [call] = first["message"]["tool_calls"]
        assert call["function"]["name"] == "web_search"
        jsonschema.validate(json.loads(call["function"]["arguments"]), SEARCH)
        result = {"role": "tool", "tool_call_id": call["id"], "content": "found"}
        body["messages"] += [first["message"], result]
        second = (await client.post(PATHS["openai"], json=body)).json()["choices"][0]
        assert second["message"]["content"]
        none = (await client.post(PATHS["openai"], json=body | {"tool_choice": "none"})).json()
        assert "tool_calls" not in none["choices"][0]["message"]


async def test_embeddings_are_unit_vectors_near_for_like_texts(client):
    texts = ["breed the peas", "breed the pea", "quite another thing"]
    told = (await client.post("/v1/embeddings", json={"model": "e", "input": texts, "dimensions": 64})).json()
    rows = [each["embedding"] for each in told["data"]]
    assert [len(row) for row in rows] == [64] * 3
    near, far = (sum(a * b for a, b in zip(rows[0], other, strict=True)) for other in rows[1:])
    assert far < near < 1.0
    assert told["usage"]["prompt_tokens"] > 0
    for wrong in ({"input": []}, {"input": ""}, {"dimensions": 0}):
        refused = await client.post("/v1/embeddings", json={"model": "e", "input": "x"} | wrong)
        assert refused.status_code == 400


# --- what is kept ----------------------------------------------------------------------------------------------------


async def test_every_request_is_kept_with_its_headers(server, client):
    await client.post(PATHS["openai"], json=asking("openai"), headers={"authorization": f"Bearer {KEY}"})
    [seen] = server.seen
    assert (seen.method, seen.path, seen.headers["authorization"]) == ("POST", PATHS["openai"], f"Bearer {KEY}")
    assert seen.json() == asking("openai")
    told = (await client.get("/__seen")).json()
    assert told["count"] == 1
    assert told["requests"] == [seen.shown()]
    await client.delete("/__seen")
    assert (server.count, server.seen) == (0, [])


# --- the providers' own clients --------------------------------------------------------------------------------------


async def test_openai_s_client_chats_streams_calls_tools_and_embeds(server):
    openai = pytest.importorskip("openai")
    async with openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key=KEY, max_retries=0) as client:
        body = {key: value for key, value in asking("openai").items() if key != "stream"}
        answer = await client.chat.completions.create(**body)
        jsonschema.validate(json.loads(answer.choices[0].message.content), SCORE)
        assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
        stream = await client.chat.completions.create(**body, stream=True, stream_options={"include_usage": True})
        chunks = [chunk async for chunk in stream]
        joined = "".join(each.choices[0].delta.content or "" for each in chunks if each.choices)
        assert joined == answer.choices[0].message.content
        assert chunks[-1].usage == answer.usage
        vectors = await client.embeddings.create(model="e", input=["a text"], dimensions=16)
        assert len(vectors.data[0].embedding) == 16
        assert [each.id async for each in client.models.list()] == ["test-model"]
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"


async def test_openai_s_client_tells_its_errors_apart(server):
    openai = pytest.importorskip("openai")
    kinds = {"401": openai.AuthenticationError, "403": openai.PermissionDeniedError, "404": openai.NotFoundError}
    kinds |= {"429": openai.RateLimitError, "quota": openai.RateLimitError, "400": openai.BadRequestError}
    kinds |= {"500": openai.InternalServerError, "cut": openai.APIConnectionError}
    async with openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key=KEY, max_retries=0) as client:
        for fault, kind in kinds.items():
            server.fail(fault)
            with pytest.raises(kind):
                await client.models.list()


async def test_anthropic_s_client_talks_and_is_forced_to_use_a_tool(server):
    anthropic = pytest.importorskip("anthropic")
    async with anthropic.AsyncAnthropic(base_url=server.url, api_key=KEY, max_retries=0) as client:
        body = {key: value for key, value in asking("anthropic").items() if key != "stream"}
        answer = await client.messages.create(**body)
        assert answer.stop_reason == "tool_use"
        jsonschema.validate(answer.content[0].input, SCORE)
        async with client.messages.stream(**body) as stream:
            final = await stream.get_final_message()
        assert final.content[0].input == answer.content[0].input
        assert final.usage.output_tokens == answer.usage.output_tokens
        async with client.messages.stream(model="m", max_tokens=9, messages=body["messages"]) as stream:
            assert "".join([text async for text in stream.text_stream])
        server.fail("529")
        with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
            await client.messages.create(**body)
    assert KEY in {server.seen[0].headers.get("x-api-key"), server.seen[0].headers.get("authorization", "")[7:]}


class Score(BaseModel):
    score: int
    why: str


@pytest.fixture
async def agents(server):
    """Models of pydantic-ai over both of the APIs that it is given."""
    pytest.importorskip("pydantic_ai")
    openai, anthropic = pytest.importorskip("openai"), pytest.importorskip("anthropic")
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    async with (
        openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key=KEY) as one,
        anthropic.AsyncAnthropic(base_url=server.url, api_key=KEY) as other,
    ):
        openai_provider = OpenAIProvider(openai_client=one)
        anthropic_provider = AnthropicProvider(anthropic_client=other)
        yield {
            "openai": lambda name: OpenAIChatModel(name, provider=openai_provider),
            "anthropic": lambda name: AnthropicModel(name, provider=anthropic_provider),
        }


NEWER = "claude-sonnet-5-test"  # a name by which pydantic-ai takes it that schemas are enforced and tools are not


@pytest.mark.parametrize(
    ("api", "model", "way"),
    [
        ("openai", "m", "ToolOutput"),
        ("openai", "m", "NativeOutput"),
        ("openai", "m", "PromptedOutput"),
        ("anthropic", "m", "ToolOutput"),
        ("anthropic", "m", "PromptedOutput"),
        ("anthropic", NEWER, "ToolOutput"),
        ("anthropic", NEWER, "NativeOutput"),
    ],
)
async def test_pydantic_ai_gets_its_structure_every_way_it_asks(server, agents, api, model, way):
    import pydantic_ai

    agent = pydantic_ai.Agent(agents[api](model), output_type=getattr(pydantic_ai, way)(Score))
    done = await agent.run("Which score?")
    assert isinstance(done.output, Score)
    assert done.usage.output_tokens > 0
    assert [each.path for each in server.seen] == [PATHS[api]]


# --- as a process ----------------------------------------------------------------------------------------------------


def test_it_runs_as_a_process_and_is_programmed_over_http():
    with started_server("schema", faults=[{"fault": "fenced", "times": 1}], key=KEY) as url:
        headers = {"authorization": f"Bearer {KEY}"}
        with httpx.Client(base_url=url, headers=headers, trust_env=False, verify=TLS) as client:
            texts = [said("openai", client.post(PATHS["openai"], json=asking("openai")).json()) for _ in range(2)]
            assert texts[0] == f"```json\n{texts[1]}\n```"
            assert client.post("/__faults", json=[{"fault": "500", "times": None}]).status_code == 200
            assert client.post(PATHS["openai"], json=asking("openai")).status_code == 500
            assert client.get("/__seen").json()["count"] == 3
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/v1/models", trust_env=False)


@pytest.mark.parametrize("end", ["signal", "input"])
def test_it_ends_on_sigterm_and_with_its_input_even_while_it_hangs(end):
    command = [sys.executable, "-m", "tests.support.model_server", "--fault", "hang"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        url = process.stdout.readline().decode().strip()
        with httpx.Client(base_url=url, trust_env=False, timeout=0.2) as client, pytest.raises(httpx.ReadTimeout):
            client.get("/v1/models")
        if end == "signal":
            os.kill(process.pid, signal.SIGTERM)
        else:
            process.stdin.close()
        assert process.wait(20) == 0


def test_its_help_has_a_line_for_every_brain_and_every_fault():
    assert set(FAULTS_TOLD) == set(FAULTS)
    command = [sys.executable, "-m", "tests.support.model_server", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    first = {line.split()[0]: line for line in told if line.startswith("  ")}
    assert {*BRAINS, *FAULTS} <= set(first)
    assert first["429"].endswith("(retry_after=1)")


def test_what_it_does_not_know_stops_it_before_it_starts():
    with pytest.raises(RuntimeError), started_server("echo", faults=["no such fault"]):
        pytest.fail("it started")
    with pytest.raises(RuntimeError), started_server("no such brain"):
        pytest.fail("it started")


def test_every_brain_that_is_here_can_be_named_and_others_as_module_and_class():
    for name in BRAINS.keys() - {"mender"}:
        assert hasattr(brain_named(name), "answer")
    assert brain_named("tests.support.model_server.brains:Echo").answer([], None, []) == "ok"
    with pytest.raises(ValueError, match="echo, schema"):
        brain_named("clever")
