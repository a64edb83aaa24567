"""A provider of models on the loopback: OpenAI's, Anthropic's and Ollama's APIs over real sockets, and every fault.

In a test's own event loop::

    async with ModelServer("schema", key="sk-planted") as server:
        server.fail("429", times=1, retry_after=2)          # once, for whoever asks next
        server.fail("missing_field", match={"model": "m"})  # once, for this model
        …                                                   # talk to f"{server.url}/v1" (OpenAI) or server.url
        server.seen[-1].headers["authorization"]            # what it was sent

As a process of its own, for benchmarks and for tests that do not run in a loop::

    with started_server("echo", faults=["fenced"]) as url: …
    python -m tests.support.model_server --port 0 --brain echo --fault fenced --fault '{"fault": "429", "times": 2}'

It prints one line, its URL, and ends on SIGTERM or when its input ends.

=========================================================  ============================================================
``POST /v1/chat/completions``, ``/v1/embeddings``          OpenAI; ``GET /v1/models``
``POST /v1/messages``                                      Anthropic
``POST /api/chat``                                         Ollama; ``GET /api/tags``
``GET /__seen``, ``DELETE /__seen``                        ``{"count": …, "requests": [{method, path, headers, body}]}``
``POST /__faults``, ``GET /__faults``, ``DELETE …``        a list of faults replaces those that are programmed
``GET /__names``                                           every fault there is
=========================================================  ============================================================

How a fault is written stands in :mod:`.faults`, with all their names and parameters; the brains are listed in
:mod:`.brains`. A brain of your own is a class with ``answer(messages, schema, tools)``: ``--brain module:Class``.

The standard library and orjson are all it needs; one process answers several thousand small requests a second.
"""

from __future__ import annotations

from tests.support.model_server.faults import FAULTS
from tests.support.model_server.http import Request
from tests.support.model_server.process import started_server
from tests.support.model_server.server import ModelServer
from tests.support.model_server.values import Brain, Call, Tool, Turn

__all__ = ["FAULTS", "Brain", "Call", "ModelServer", "Request", "Tool", "Turn", "started_server"]
