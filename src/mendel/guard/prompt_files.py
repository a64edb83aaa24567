"""Prompt files: their format, and how a call of a prompt becomes messages to a model.

An argument is never part of the instructions. It is sent in a message of its own, as delimited data (rule 5). A
placeholder such as ``{numbers}`` in the prompt becomes a reference to that message.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, Self

import orjson
from pydantic import (
    BaseModel,
    Field,
    JsonValue,
    Strict,
    StringConstraints,
    ValidationError,
    create_model,
    field_validator,
    model_validator,
)

from mendel.contracts.base import Contract, Text
from mendel.contracts.errors import NotShippable, PayloadUnserialisable
from mendel.contracts.evaluations import Case, Program
from mendel.contracts.model_calls import CallLimits, Message, Sampling, Temperature
from mendel.contracts.payloads import explain
from mendel.contracts.plain_values import PlainValue
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole, ModelRoute
from mendel.contracts.untrusted import FRAMING, data_message
from mendel.contracts.value_json import from_json, to_json
from mendel.ports.model_gateway import OTHER_PORTS, ROLES

PROMPT_FILE: Final = "prompt.toml"
PROMPT_ENTRY: Final = "prompt:answer"

ASKABLE: Final[tuple[ModelRole, ...]] = tuple(role for role in ROLES if role not in HELD_OUT_ROLES | OTHER_PORTS)
"""Roles that a prompt may use. Judges are excluded: they must not work for what they may have to judge (rule 6)."""

ANSWERING: Final = (
    'Answer with one JSON object, {"answer": …}, and nothing else. Data is written as JSON; what JSON has no form for'
    ' is an object with one key, such as {"$tuple": [1, 2]} or {"$set": [1, 2]}, in your answer as well.'
)

_PLACE: Final = re.compile(r"\{\{([A-Za-z_]\w*)\}\}|\{([A-Za-z_]\w*)\}")  # {{literal}} or {argument}
_WIDEST: Final = CallLimits(  # so wide that the role's limits apply
    prompt_bytes=10_000_000, tokens_out=1_000_000, answer_bytes=64 * 1024 * 1024, timeout_ms=3_600_000
)

AnswerKind = Literal["any", "boolean", "integer", "number", "text", "integers", "numbers", "texts"]
Argument = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]


class Prompt(Contract):
    """The contents of a prompt file.

    ``arguments`` names the arguments of a call, in order. ``route`` is PROVIDER/MODEL; the default is the role's own
    model. ``max_tokens`` and ``timeout_s`` can only lower the role's limits, which are also their defaults.
    """

    prompt: Text
    role: ModelRole
    system: Annotated[str, StringConstraints(max_length=100_000)] = ""
    arguments: Annotated[tuple[Argument, ...], Field(max_length=32)] = ()
    answer: AnswerKind = "any"
    route: Annotated[str, StringConstraints(pattern=r"^[^/\s]{1,200}/\S{1,200}$")] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    temperature: Temperature | None = None
    timeout_s: Annotated[float, Field(ge=0.001, le=3_600.0)] | None = None

    @field_validator("role")
    @classmethod
    def _no_judge(cls, role: ModelRole) -> ModelRole:
        if role not in ASKABLE:
            raise ValueError(f"the role of a prompt is one of {', '.join(ASKABLE)}, not {role}")
        return role

    @model_validator(mode="after")
    def _places_are_arguments(self) -> Self:
        if len(set(self.arguments)) < len(self.arguments):
            raise ValueError("two arguments have the same name; give each a different one")
        for _, name in _PLACE.findall(self.prompt):
            if name and name not in self.arguments:
                raise ValueError(
                    f"the prompt has a placeholder {{{name}}}, but no argument of that name; add it to"
                    f" `arguments`, or write {{{{{name}}}}} for the literal word in braces"
                )
        return self

    @property
    def chosen(self) -> ModelRoute | None:
        """The model named by ``route``, if any."""
        provider, _, model = (self.route or "").partition("/")
        return ModelRoute(provider=provider, model_id=model) if self.route else None

    @property
    def sampling(self) -> Sampling:
        """How the model samples answers."""
        return Sampling(temperature=self.temperature)

    @property
    def limits(self) -> CallLimits:
        """The limits that the file sets; the role's own limits still apply."""
        changes: dict[str, int] = {}
        if self.max_tokens is not None:
            changes["tokens_out"] = self.max_tokens
        if self.timeout_s is not None:
            changes["timeout_ms"] = max(1, round(self.timeout_s * 1_000))
        return _WIDEST.model_copy(update=changes)

    @property
    def output(self) -> type[BaseModel]:
        """The model class that validates an answer."""
        return OUTPUTS[self.answer]

    def messages(self, case: Case) -> tuple[Message, ...]:
        """Build the messages of one call.

        Raises:
            TypeError: the case's arguments do not match ``arguments``.
            PayloadUnserialisable: an argument is not a plain value.
        """
        system = "\n\n".join(part for part in (self.system.strip(), FRAMING, ANSWERING) if part)
        named = list(self._named(case))
        return (
            Message(role="system", content=system),
            Message(role="user", content=_PLACE.sub(_referred, self.prompt)),
            *(data_message(name, written(value)) for name, value in named),
        )

    def _named(self, case: Case) -> Iterator[tuple[str, PlainValue]]:
        if not self.arguments:
            yield from ((f"argument {number}", value) for number, value in enumerate(case.args, 1))
            yield from case.kwargs.items()
            return
        given = dict(zip(self.arguments, case.args, strict=False)) | dict(case.kwargs)
        if len(case.args) + len(case.kwargs) != len(self.arguments) or set(given) != set(self.arguments):
            raise TypeError(f"the prompt takes {', '.join(self.arguments)}; the call has {len(given)} arguments")
        yield from ((name, given[name]) for name in self.arguments)


def _referred(place: re.Match[str]) -> str:
    literal, name = place.groups()
    return f"{{{literal}}}" if literal else f'the data "{name}"'


def written(value: PlainValue) -> str:
    """Write a plain value as JSON for a model.

    Raises:
        PayloadUnserialisable: the value is not plain, or nested too deeply.
    """
    try:
        return orjson.dumps(to_json(value)).decode()
    except (orjson.JSONEncodeError, RecursionError) as error:
        raise PayloadUnserialisable(f"an argument cannot be written as JSON: {error}") from error


def read_prompt(text: str, origin: str = PROMPT_FILE) -> Prompt:
    """Parse the text of a prompt file.

    Raises:
        NotShippable: the text is not valid TOML, a key is unknown, or a value is invalid.
    """
    try:
        return Prompt.model_validate(tomllib.loads(text))
    except ValidationError as error:
        told = explain(error).replace("Value error, ", "")
        raise NotShippable(f"{origin}: not a valid prompt file: {told}") from error
    except (ValueError, RecursionError) as error:
        raise NotShippable(f"{origin}: not valid TOML: {error}") from error


def program_of(text: str, origin: str = PROMPT_FILE) -> Program:
    """Return the text of a prompt file as a program that the gate can judge.

    Raises:
        NotShippable: the text is not a valid prompt file.
    """
    read_prompt(text, origin)
    return Program({PROMPT_FILE: text}, PROMPT_ENTRY)


def is_prompt(program: Program) -> bool:
    """Return whether a program is a prompt, which is never run as code."""
    return program.entry == PROMPT_ENTRY and set(program.files) == {PROMPT_FILE}


def prompt_of(program: Program) -> Prompt:
    """Return the prompt in a program for which :func:`is_prompt` is true.

    Raises:
        NotShippable: its text is invalid.
    """
    return _read_once(program.files[PROMPT_FILE])


@lru_cache(maxsize=64)  # every case of a prompt reads it
def _read_once(text: str) -> Prompt:
    return read_prompt(text)


# --- answers -----------------------------------------------------------------------------------------------


class AnyAnswer(Contract):
    """The answer, as JSON."""

    answer: JsonValue

    @field_validator("answer")
    @classmethod
    def _is_plain(cls, answer: JsonValue) -> JsonValue:
        try:
            from_json(answer)
        except PayloadUnserialisable as error:
            raise ValueError(str(error)) from error
        return answer


def value_in(output: BaseModel) -> PlainValue:
    """Return the plain value of a validated answer."""
    answer = getattr(output, "answer")  # noqa: B009 - every model of OUTPUTS has it
    return from_json(answer) if isinstance(output, AnyAnswer) else answer


def _typed(name: str, kind: Any) -> type[BaseModel]:  # noqa: ANN401 - any type that pydantic takes
    return create_model(name, __base__=Contract, __doc__="The answer.", answer=(kind, ...))


_Integer = Annotated[int, Strict()]
_Number = Annotated[float, Strict()]
_Text = Annotated[str, Strict()]

OUTPUTS: Final[Mapping[AnswerKind, type[BaseModel]]] = MappingProxyType(
    {
        "any": AnyAnswer,
        "boolean": _typed("BooleanAnswer", Annotated[bool, Strict()]),
        "integer": _typed("IntegerAnswer", _Integer),
        "number": _typed("NumberAnswer", _Number),
        "text": _typed("TextAnswer", _Text),
        "integers": _typed("IntegersAnswer", list[_Integer]),
        "numbers": _typed("NumbersAnswer", list[_Number]),
        "texts": _typed("TextsAnswer", list[_Text]),
    }
)
"""The model class that validates an answer of each kind."""
