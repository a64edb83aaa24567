"""Every fault of the model server, as a client sees it that takes nothing for granted."""

from __future__ import annotations

import asyncio
import gzip
import json
from email.utils import parsedate_to_datetime

import httpx
import jsonschema
import orjson
import pytest
from tests.support.model_server import FAULTS, ModelServer
from tests.support_tests.talking import PATHS, SCORE, TLS, RawClient, asking, request_bytes, said, stopped

KEY = "sk-planted-0123456789"
by_api = pytest.mark.parametrize("api", list(PATHS))
streamed_or_not = pytest.mark.parametrize("stream", [False, True])


@pytest.fixture
async def server():
    async with ModelServer("schema") as running:
        yield running


@pytest.fixture
async def client(server):
    async with httpx.AsyncClient(base_url=server.url, trust_env=False, verify=TLS) as talking:
        yield talking


@pytest.fixture
async def raw(server):
    talking = await RawClient.to(server.url)
    yield talking
    await talking.close()


async def told(client, api="openai", **changed):
    answer = await client.post(PATHS[api], json=asking(api) | changed)
    assert answer.status_code == 200
    return answer.json()


# --- errors that a provider tells ------------------------------------------------------------------------------------


@by_api
@pytest.mark.parametrize(
    ("fault", "status"),
    [(str(n), n) for n in (400, 401, 403, 404, 413, 429, 500, 503, 529)] + [("quota", 429), ("schema_refused", 400)],
)
async def test_an_error_has_its_status_and_a_message_in_the_dialect(server, client, api, fault, status):
    server.fail(fault)
    answer = await client.post(PATHS[api], json=asking(api))
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error if api == "ollama" else error["message"]
    assert (await client.post(PATHS[api], json=asking(api))).status_code == 200


async def test_how_long_to_wait_is_told_in_seconds_or_as_a_date(server, client):
    server.fail("429", retry_after=7)
    server.fail("429_date", retry_after=3_600)
    seconds = await client.get("/v1/models")
    dated = await client.get("/v1/models")
    assert seconds.headers["retry-after"] == "7"
    assert parsedate_to_datetime(dated.headers["retry-after"]).tzinfo is not None
    assert dated.headers["retry-after"].endswith("GMT")


async def test_a_quota_is_told_from_a_rate_limit(server, client):
    server.program([{"fault": "quota"}, {"fault": "429"}])
    codes = [(await client.get("/v1/models")).json()["error"]["code"] for _ in range(2)]
    assert codes == ["insufficient_quota", "rate_limit_exceeded"]


@by_api
async def test_an_error_may_echo_the_caller_s_key(server, client, api):
    server.fail("echo_key", status=500)
    answer = await client.post(PATHS[api], json=asking(api), headers={"authorization": f"Bearer {KEY}"})
    assert answer.status_code == 500
    assert KEY in answer.text


async def test_an_error_may_come_with_status_200(server, client):
    server.fail("error_in_200")
    assert (await told(client))["error"]["message"]


async def test_a_redirect_leads_to_another_host(server, client):
    async with ModelServer() as other:
        server.fail("redirect", location=f"{other.url}/v1/models", times=2)
        assert (await client.get("/v1/models")).headers["location"] == f"{other.url}/v1/models"
        await client.get("/v1/models", follow_redirects=True)
        assert other.count == 1


# --- connections -----------------------------------------------------------------------------------------------------


async def test_it_hangs_without_a_byte_and_answers_others_meanwhile(server, raw, client):
    server.fail("hang")
    await raw.send(request_bytes("/v1/models", None, "GET"))
    waiting = asyncio.ensure_future(raw.at_least(1))
    while not server.count:
        await asyncio.sleep(0.001)
    for _ in range(20):
        assert (await client.get("/v1/models")).status_code == 200
    assert not waiting.done()
    waiting.cancel()


@by_api
@streamed_or_not
async def test_it_drips_for_ever(server, raw, api, stream):
    server.fail("drip", seconds=0.001)
    await raw.send(request_bytes(PATHS[api], asking(api, stream=stream)))
    got = await raw.at_least(600)
    assert got.startswith(b"HTTP/1.1 200 OK\r\n")
    assert got.count(b"\r\n1\r\n") > 10
    assert b"\r\n0\r\n" not in got


async def test_it_drips_before_its_headers_are_whole(server, raw):
    server.fail("drip_head", seconds=0.001)
    await raw.send(request_bytes("/v1/models", None, "GET"))
    assert b"\r\n\r\n" not in await raw.at_least(200)


async def test_a_delayed_answer_is_right(server, client):
    server.fail("delay", seconds=0.01)
    jsonschema.validate(json.loads(said("openai", await told(client))), SCORE)


@by_api
async def test_a_connection_is_cut_before_the_headers(server, raw, api):
    server.fail("cut")
    await raw.send(request_bytes(PATHS[api], asking(api)))
    assert await raw.rest() == b""


@by_api
@streamed_or_not
async def test_a_connection_is_cut_amid_the_body(server, raw, api, stream):
    server.fail("cut_body")
    await raw.send(request_bytes(PATHS[api], asking(api, stream=stream)))
    head, body = (await raw.rest()).split(b"\r\n\r\n", 1)
    length = int(head.rpartition(b"content-length: ")[2].split(b"\r\n")[0])
    assert 0 < len(body) < length


@pytest.mark.parametrize("fault", ["reset", "reset_body"])
async def test_a_connection_is_reset(server, raw, fault):
    server.fail(fault)
    await raw.send(request_bytes("/v1/models", None, "GET"))
    with pytest.raises(ConnectionResetError):
        await raw.rest()


# --- envelopes -------------------------------------------------------------------------------------------------------


@by_api
@pytest.mark.parametrize("fault", ["bad_envelope", "bad_utf8", "html"])
async def test_an_envelope_is_not_json(server, client, api, fault):
    server.fail(fault)
    answer = await client.post(PATHS[api], json=asking(api))
    assert answer.status_code == 200
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(answer.content)


@by_api
async def test_an_envelope_is_json_of_another_shape(server, client, api):
    server.fail("odd_envelope")
    with pytest.raises((LookupError, TypeError)):
        said(api, await told(client, api))


async def test_a_few_packed_bytes_are_many(server, raw):
    server.fail("gzip_bomb", bytes=8 * 1024 * 1024)
    await raw.send(request_bytes(PATHS["openai"], asking("openai")))
    status, headers, body = await raw.response()
    assert (status, headers["content-encoding"]) == (200, "gzip")
    unpacked = gzip.decompress(body)
    assert len(unpacked) > 8 * 1024 * 1024 > 500 * len(body)
    assert said("openai", orjson.loads(unpacked.strip()))


async def test_a_cookie_is_set(server, client):
    server.fail("cookie", cookie="track=1")
    await told(client)
    assert client.cookies["track"] == "1"
    await told(client)
    assert server.seen[-1].headers["cookie"] == "track=1"


# --- what the model says ---------------------------------------------------------------------------------------------


@pytest.fixture
async def right(client):
    return said("openai", await told(client))


@pytest.mark.parametrize("fault", ["not_json", "fenced", "prose", "truncated", "two_objects", "empty"])
@by_api
async def test_a_text_is_not_json(server, client, api, fault):
    server.fail(fault)
    with pytest.raises(ValueError, match=r"."):
        json.loads(said(api, await told(client, api)))
    jsonschema.validate(json.loads(said(api, await told(client, api))), SCORE)


async def test_what_is_wrapped_round_the_right_answer_can_be_taken_off(server, client, right):
    for fault in ("fenced", "prose", "two_objects", "truncated"):
        server.fail(fault)
    fenced, prose, two, half = [said("openai", await told(client)) for _ in range(4)]
    assert fenced == f"```json\n{right}\n```"
    assert right in prose
    assert prose.strip() != right
    assert two == f"{right}\n{right}"
    assert right.startswith(half)
    assert 0 < len(half) < len(right)


async def test_a_key_stands_twice(server, client, right):
    server.fail("duplicate_key")
    pairs = json.loads(said("openai", await told(client)), object_pairs_hook=lambda found: [key for key, _ in found])
    assert sorted(pairs) == sorted([*json.loads(right), next(iter(json.loads(right)))])


@pytest.mark.parametrize("fault", ["missing_field", "wrong_type", "extra_field"])
@by_api
async def test_an_answer_is_json_that_does_not_fit(server, client, api, fault):
    server.fail(fault, times=2)
    for _ in range(2):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(said(api, await told(client, api))), SCORE)
    jsonschema.validate(json.loads(said(api, await told(client, api))), SCORE)


async def test_wrong_once_is_right_the_next_time_however_it_is_asked_for(server, client, right):
    server.program([{"fault": "wrong_once", "times": None}])
    assert said("openai", await told(client)) != right
    assert said("openai", await told(client)) == right


@by_api
async def test_an_answer_is_huge(server, client, api):
    server.fail("huge")
    assert len(said(api, await told(client, api))) > 10 * 1024 * 1024


@by_api
@streamed_or_not
async def test_an_answer_never_ends_and_does_not_keep_others_waiting(server, client, raw, api, stream):
    server.fail("endless")
    await raw.send(request_bytes(PATHS[api], asking(api, stream=stream)))
    got = await raw.at_least(2_000_000)
    assert got.startswith(b"HTTP/1.1 200 OK")
    assert got.count(b"and so forth") > 1_000
    assert (await client.get("/v1/models")).status_code == 200


@by_api
async def test_an_answer_has_no_content(server, client, api):
    server.fail("null")
    assert said(api, await told(client, api)) is None


@by_api
async def test_an_answer_is_refused(server, client, api):
    server.fail("refusal")
    answer = await told(client, api)
    if api == "openai":
        assert answer["choices"][0]["message"]["refusal"]
        assert said(api, answer) is None
    else:
        assert "cannot" in said(api, answer)
    assert stopped(api, answer) in {"stop", "refusal"}


@by_api
async def test_an_answer_stops_for_want_of_tokens(server, client, api):
    server.fail("length")
    answer = await told(client, api)
    assert stopped(api, answer) in {"length", "max_tokens"}
    with pytest.raises(ValueError, match=r"."):
        json.loads(said(api, answer))


async def test_a_tool_is_called_that_nobody_offered_or_with_arguments_that_are_none(server, client):
    server.fail("unknown_tool", name="format_disk")
    server.fail("bad_arguments")
    unknown, broken = [(await told(client))["choices"][0]["message"]["tool_calls"][0]["function"] for _ in range(2)]
    assert unknown["name"] == "format_disk"
    with pytest.raises(ValueError, match=r"."):
        json.loads(broken["arguments"])


# --- usage and vectors -----------------------------------------------------------------------------------------------


def used(api, answer):
    if api == "ollama":
        return [answer.get("prompt_eval_count"), answer.get("eval_count")]
    return list(answer["usage"].values())[:2] if "usage" in answer else [None, None]


@by_api
async def test_usage_is_missing_negative_absurd_or_words(server, client, api):
    server.program([{"fault": f"usage_{how}"} for how in ("missing", "negative", "absurd", "strings")])
    server.fail("usage_absurd", tokens=10**30)
    found = [used(api, json.loads(json.dumps(await told(client, api)))) for _ in range(5)]
    assert found[0] == [None, None]
    assert all(each < 0 for each in found[1])
    assert found[2] == [10**18] * 2
    assert all(isinstance(each, str) for each in found[3])
    assert found[4] == [10**30] * 2


async def test_vectors_are_too_few_ragged_odd_or_in_another_order(server, client):
    async def rows():
        told = (await client.post("/v1/embeddings", json={"model": "e", "input": ["one", "two"]})).json()
        return [(each["index"], each["embedding"]) for each in told["data"]]

    right = await rows()
    server.program([{"fault": f"{how}_vectors"} for how in ("fewer", "ragged", "odd", "reordered")])
    assert await rows() == right[:1]
    assert [len(row) for _, row in await rows()] == [32, 31]
    assert [row[0] for _, row in await rows()] == [None, None]
    assert await rows() == right[::-1]


# --- programming -----------------------------------------------------------------------------------------------------


async def test_a_fault_happens_as_often_as_it_says_and_to_whom_it_says(server, client):
    programmed = [
        {"fault": "500", "times": 2, "after": 1, "match": {"model": "n"}},
        {"fault": "503", "times": None, "match": {"path": "/v1/models"}},
        {"fault": "400", "match": {"contains": "bad word"}},
    ]
    assert (await client.post("/__faults", json=programmed)).status_code == 200

    async def status(model, prompt="hello"):
        return (await client.post(PATHS["openai"], json=asking("openai", prompt) | {"model": model})).status_code

    assert [await status("n") for _ in range(4)] == [200, 500, 500, 200]
    assert [await status("m"), await status("m", "a bad word"), await status("m", "a bad word")] == [200, 400, 200]
    assert [(await client.get("/v1/models")).status_code for _ in range(3)] == [503] * 3
    left = (await client.get("/__faults")).json()
    assert [each["times"] for each in left] == [0, None, 0]
    await client.delete("/__faults")
    assert (await client.get("/v1/models")).status_code == 200


async def test_a_fault_of_an_answer_waits_for_a_question_that_it_can_be_seen_in(server, client):
    server.program([{"fault": "missing_field"}, {"fault": "usage_missing"}, {"fault": "ragged_vectors"}])
    assert (await client.get("/v1/models")).status_code == 200
    assert [each["times"] for each in (await client.get("/__faults")).json()] == [1, 1, 1]
    plain = await client.post(PATHS["openai"], json=asking("openai", schema=None))
    assert "usage" not in plain.json()


@pytest.mark.parametrize(
    "given",
    [
        [{"fault": "nothing"}],
        [{}],
        [{"fault": "429", "seconds": 3}],
        [{"fault": "429", "match": {"host": "x"}}],
        [{"fault": "429", "times": "often"}],
        [7],
        7,
    ],
)
async def test_what_is_no_fault_is_refused_and_changes_nothing(server, client, given):
    server.fail("500", times=None)
    answer = await client.post("/__faults", json=given)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert (await client.get("/v1/models")).status_code == 500


def test_an_unknown_fault_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="429_date"):
        ModelServer(faults=[{"fault": "nothing"}])


async def test_every_fault_there_is_leaves_the_server_standing(server, client):
    for fault in FAULTS:
        small = {key: 100_000 for key in ("bytes",) if key in FAULTS[fault].parameters}
        server.program([{"fault": fault, "times": None, **small}])
        for stream in (False, True):
            raw = await RawClient.to(server.url)
            await raw.send(request_bytes(PATHS["openai"], asking("openai", stream=stream)))
            await raw.send(request_bytes("/v1/embeddings", {"model": "e", "input": ["one", "two"]}))
            while server.count < 1:
                await asyncio.sleep(0.001)
            await raw.close()
            server.forget()
        server.program([])
        assert json.loads(said("openai", await told(client)))
