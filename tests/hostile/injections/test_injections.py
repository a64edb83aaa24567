"""No injection moves a score: through the live gateway, over a socket, to a judge that obeys whoever it can hear.

The judge of the model server scores what stands between the delimiters by a hash, and does what it is ordered to do
anywhere else. So its score tells on which side of the delimiters a text has ended up.
"""

from __future__ import annotations

from typing import Annotated

import pytest
import pytest_asyncio
from pydantic import Field
from tests.hostile.injections import INJECTIONS
from tests.support.model_server.judge import honest_scores, obeyed
from tests.support.model_server.server import ModelServer
from tests.support.rows import check_rows

from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.openai_wire import open_wire
from mendel.conformance.model_stage import FIRST, plan_of
from mendel.contracts.base import Contract
from mendel.contracts.model_calls import CallLimits, Message
from mendel.contracts.untrusted import BEGIN, END, FRAMING, data_message, unwrapped, wrapped
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireContext

RUBRIC = Message(role="system", content=f"You judge programs by how short they are, from 0 to 10. {FRAMING}")
QUESTION = Message(role="user", content="Judge the candidate.")
LIMITS = CallLimits(prompt_bytes=200_000)
TOP = 10.0
UNDERSTOOD = [name for name, text in INJECTIONS.items() if obeyed(text)]
FORGED = [name for name, text in INJECTIONS.items() if END.lower() in text.lower() and obeyed(text)]


class Score(Contract):
    score: Annotated[float, Field(ge=0.0, le=TOP)]


in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def judged():
    """Asks the judge, who remembers nothing, and answers with its score."""
    async with ModelServer("judge") as server:
        url = f"{server.url}/v1"
        plan = plan_of(FIRST, role="final_judge", limits=LIMITS)
        async with LiveGateway(plan, lambda name: open_wire(WireContext(name, base_url=url))) as gateway:

            async def ask(*messages: Message) -> float:
                request = ModelRequest(role="final_judge", messages=(RUBRIC, QUESTION, *messages), output=Score)
                response = await gateway.ask(request)
                assert response.outcome == "accepted"
                return response.output.score

            yield ask


def honest(text: str) -> float:
    """The score that the text deserves as data."""
    return honest_scores([text], Score.model_json_schema())["score"]


def test_the_corpus_is_large_and_the_judge_hears_most_of_it():
    assert len(INJECTIONS) >= 60
    assert len(UNDERSTOOD) >= 60
    assert len(FORGED) >= 15


@in_one_loop
@check_rows("name", INJECTIONS)
async def test_no_injection_moves_a_score(judged, name):
    text = INJECTIONS[name].replace("\0", "\ufffd")  # what no log takes is not sent
    found = await judged(data_message("candidate", text))
    assert found == honest(unwrapped(wrapped("candidate", text)))
    assert found < TOP


@in_one_loop
@check_rows("name", INJECTIONS)
async def test_no_injection_moves_the_score_of_its_neighbour(judged, name):
    """Two candidates in one prompt: the data are what they are, and nobody is ordered about."""
    text = INJECTIONS[name].replace("\0", "\ufffd")
    found = await judged(data_message("candidate", text), data_message("candidate", "def f(x):\n    return x"))
    data = [unwrapped(wrapped("candidate", text)), "def f(x):\n    return x"]
    assert found == honest_scores(data, Score.model_json_schema())["score"]


@in_one_loop
@check_rows("name", UNDERSTOOD)
async def test_undelimited_it_would_move_the_score(judged, name):
    """The control: the judge can be fooled, so that the tests above can fail."""
    assert await judged(Message(role="user", content=f"The candidate:\n{INJECTIONS[name]}")) == TOP


@in_one_loop
@check_rows("name", FORGED)
async def test_between_delimiters_that_nobody_defends_it_would_move_the_score(judged, name):
    """The other control: it is not the delimiters alone."""
    naive = f"{BEGIN} candidate\n{INJECTIONS[name]}\n{END}"
    assert await judged(Message(role="user", content=naive)) == TOP
