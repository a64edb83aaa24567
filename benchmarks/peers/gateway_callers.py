"""The peers of the benchmark ``gateway``: packages for structured answers of models, with their defaults.

Started as ``python gateway_callers.py PACKAGE URL``, in an environment that has the package; orders and answers are
those of ``gateway_load``. All of them ask the same questions with the same schema, validate the answers, and never
retry; all other settings are the defaults.

=============== =====================================================================================================
``httpx2``       the plain round trip: a body prepared before the clock starts, and the bytes of the answer
``httpx``        the same with its predecessor
``openai``       ``parse``: its ``chat.completions.parse``; ``create``: its ``create``, validated by pydantic
``litellm``      ``acompletion`` with the model as ``response_format``, validated by pydantic
``instructor``   ``from_openai``: ``schema``, with the schema like all others; ``tools``, its default, with a tool call
=============== =====================================================================================================
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from gateway_load import (  # type: ignore[import-not-found]
    KEY,
    MODEL,
    TOKENS_OUT,
    Ask,
    Review,
    body_of,
    messages,
    response_format,
    serve,
)

_CONNECTIONS: Final = 100
_READY: Final = 256
"""Request bodies prepared before the clock starts; they are sent in turn."""


def bare(name: str, url: str) -> Mapping[str, Ask]:
    """``httpx`` or ``httpx2`` alone."""
    library: Any = importlib.import_module(name)
    # Settings for the best possible speed: no timeout, and no connection is closed that is needed again.
    limits = library.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS)
    headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    client = library.AsyncClient(headers=headers, timeout=None, limits=limits)
    bodies = itertools.cycle([body_of(number) for number in range(_READY)])

    async def post(_number: int) -> bool:
        response = await client.post(f"{url}/chat/completions", content=next(bodies))
        return bool(response.status_code == library.codes.OK and response.content)

    return {"post": post}


def sdk(_name: str, url: str) -> Mapping[str, Ask]:
    """The ``openai`` package, with both of its ways."""
    client: Any = importlib.import_module("openai").AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0)
    completions, schema = client.chat.completions, response_format()

    async def parse(number: int) -> bool:
        asked = {"model": MODEL, "messages": messages(number), "max_completion_tokens": TOKENS_OUT}
        completion = await completions.parse(**asked, response_format=Review)
        return isinstance(completion.choices[0].message.parsed, Review)

    async def create(number: int) -> bool:
        asked = {"model": MODEL, "messages": messages(number), "max_completion_tokens": TOKENS_OUT}
        completion = await completions.create(**asked, response_format=schema)
        return _valid(completion)

    return {"parse": parse, "create": create}


def litellm(_name: str, url: str) -> Mapping[str, Ask]:
    """The ``litellm`` package."""
    completion: Any = importlib.import_module("litellm").acompletion

    async def acompletion(number: int) -> bool:
        answer = await completion(
            model=f"openai/{MODEL}",
            api_base=url,
            api_key=KEY,
            messages=messages(number),
            max_completion_tokens=TOKENS_OUT,
            response_format=Review,
            max_retries=0,
        )
        return _valid(answer)

    return {"acompletion": acompletion}


def instructor(_name: str, url: str) -> Mapping[str, Ask]:
    """The ``instructor`` package on the ``openai`` package."""
    package: Any = importlib.import_module("instructor")
    openai: Any = importlib.import_module("openai")

    def way(mode: Any) -> Ask:  # noqa: ANN401 - the package is not typed here
        client = package.from_openai(openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0), mode=mode)

        async def create(number: int) -> bool:
            asked = {"model": MODEL, "messages": messages(number), "max_completion_tokens": TOKENS_OUT}
            answer = await client.chat.completions.create(**asked, response_model=Review, max_retries=0)
            return isinstance(answer, Review)

        return create

    return {"schema": way(package.Mode.JSON_SCHEMA), "tools": way(package.Mode.TOOLS)}


def _valid(completion: Any) -> bool:  # noqa: ANN401 - the packages are not typed here
    """Whether pydantic accepts the answer; raises if it does not."""
    return isinstance(Review.model_validate_json(completion.choices[0].message.content), Review)


PACKAGES: Final[Mapping[str, Callable[[str, str], Mapping[str, Ask]]]] = {
    "httpx2": bare,
    "httpx": bare,
    "openai": sdk,
    "litellm": litellm,
    "instructor": instructor,
}
_BELOW: Final = {"instructor": ("openai",), "litellm": ("openai",), "openai": ("httpx2",)}
"""Packages below a package, with versions that are also reported."""


def main() -> None:
    """Serve orders for one package."""
    package, url = sys.argv[1:3]

    async def served() -> None:
        await serve(PACKAGES[package](package, url), (package, *_BELOW.get(package, ())))

    asyncio.run(served())


if __name__ == "__main__":
    main()
