"""Translates our requests to pydantic-ai's messages and its responses back to ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Final, cast

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from mendel.contracts.model_calls import Message, ToolCall, ToolDescriptor
from mendel.ports.model_wire import OutputSchema, WireAnswer, WireRequest, WireUsage

ANSWER_TOOL: Final = "final_result"
"""The tool whose arguments are the answer, for models without another way to enforce a schema."""
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME: Final = 64
_LONGEST_ID: Final = 200


def spoken(messages: Sequence[Message], profile: ModelProfile) -> list[ModelMessage]:
    """Convert the messages: system messages come first, and adjacent messages of one side become one turn."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    ordered = sorted(messages, key=lambda message: message.role != "system")  # stable: the order is otherwise kept
    length = profile.get("tool_call_id_length")
    turns: list[ModelMessage] = []
    for ours, group in groupby(ordered, key=lambda message: message.role == "assistant"):
        if ours:
            turns.extend(ModelResponse(list(_said(message, length))) for message in group)
        else:
            turns.append(ModelRequest([_asked(message, names, length) for message in group]))
    return turns


def _said(message: Message, length: int | None) -> Iterator[ModelResponsePart]:
    if message.content:
        yield TextPart(message.content)
    for call in message.tool_calls:
        yield ToolCallPart(call.name, call.arguments, _fitting(call.id, length))


def _asked(message: Message, names: Mapping[str, str], length: int | None) -> ModelRequestPart:
    if message.role == "system":
        return SystemPromptPart(message.content)
    if message.role == "user":
        return UserPromptPart(message.content)
    called = message.tool_call_id or ""
    return ToolReturnPart(names.get(called, "tool"), message.content, _fitting(called, length))


def _fitting(call_id: str, length: int | None) -> str:
    """Fit an id to a vendor with fixed-length ids: ids of that length stay, those of other providers are hashed."""
    if length is None or (len(call_id) == length and call_id.isalnum()):
        return call_id
    return blake2b(call_id.encode(errors="replace")).hexdigest()[:length]


def parameters(request: WireRequest, profile: ModelProfile) -> ModelRequestParameters:
    """Make the tools and the schema: as native structured output if the model supports it, else as a required tool."""
    tools = [_tool(each) for each in request.tools]
    if request.output is None or request.mode != "json_schema":
        return ModelRequestParameters(function_tools=tools)
    if profile.get("supports_json_schema_output", False) and _beside_tools(tools, profile):
        native = OutputObjectDefinition(request.output.schema, name=_name(request.output))
        return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=native)
    answer = ToolDefinition(
        name=ANSWER_TOOL,
        description="Give the answer.",
        parameters_json_schema=request.output.schema,
        kind="output",
    )
    return ModelRequestParameters(
        function_tools=tools, output_mode="tool", output_tools=[answer], allow_text_output=False
    )


def _beside_tools(tools: Sequence[ToolDefinition], profile: ModelProfile) -> bool:
    """Whether tools can be combined with a schema; older models of one vendor accept only one of them."""
    return not tools or bool(profile.get("google_supports_tool_combination", True))


def _tool(tool: ToolDescriptor) -> ToolDefinition:
    return ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters)


def _name(output: OutputSchema) -> str:
    """Return the schema's name with only the characters and the length that vendors accept."""
    return _NO_NAME.sub("_", output.name)[:_LONGEST_NAME] or "answer"


def settings(request: WireRequest, left_out: frozenset[str]) -> ModelSettings:
    """Make the sampling settings, without those that the vendor does not support; SDK retries are disabled."""
    drawn = request.sampling
    wished = {
        "max_tokens": request.limits.tokens_out,
        "max_retries": 0,  # a hidden retry would be an uncounted call
        "timeout": request.limits.timeout_ms / 1_000,
        "temperature": drawn.temperature,
        "top_p": drawn.top_p,
        "seed": drawn.seed,
        "stop_sequences": list(drawn.stop) or None,
    }
    told = {name: value for name, value in wished.items() if value is not None and name not in left_out}
    return cast("ModelSettings", told)


def heard(response: ModelResponse, request: WireRequest, usage: WireUsage, request_id: str | None) -> WireAnswer:
    """Extract the answer: the model's text, or the arguments of the tool that stands for the schema."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    answers = {ANSWER_TOOL} if request.output is not None and request.mode == "json_schema" else set()
    given = [call.args_as_json_str() for call in calls if call.tool_name in answers]
    words = [part.content for part in response.parts if isinstance(part, TextPart)]
    return WireAnswer(
        text="".join(given or words),
        model_id=response.model_name or request.model_id,
        request_id=request_id or response.provider_response_id,
        usage=usage,
        tool_calls=tuple(_call(call) for call in calls if call.tool_name not in answers),
        cut=response.finish_reason == "length",
        refused=response.finish_reason == "content_filter",
    )


def _call(call: ToolCallPart) -> ToolCall:
    return ToolCall(id=call.tool_call_id[:_LONGEST_ID], name=call.tool_name, arguments=call.args_as_json_str())
