"""The launch form of programs: a function that a user pastes, to be improved.

Only the text itself is read: no file of this machine enters a run, and rules that would run unsandboxed are excluded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from pydantic import Field

from mendel.api.domains.bounds import BoundsAsked, Source
from mendel.api.launch_schemas import FormExample, RunRequest
from mendel.api.problems import Refused
from mendel.api.registration import LaunchForm, Workshop
from mendel.bench.objectives import parse_objectives
from mendel.bench.planning import Plan
from mendel.bench.records import ObjectiveName
from mendel.contracts.errors import MendelError
from mendel.contracts.run_config import LIVE
from mendel.contracts.scrub import Scrubber
from mendel.domains.programs.front.settings import lookup_fields
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import drafted
from mendel.domains.programs.preparing import plan as run_plan
from mendel.domains.programs.wishes import Wish
from mendel.settings import Settings

_TESTS: Final = "test_pasted.py"


class ProgramInputs(BoundsAsked):
    """A function to improve. Inputs come from its type hints, its docstring's examples or tests."""

    source: Annotated[Source, Field(title="Source")] = Field(description="A Python module with the function.")
    function: Annotated[str, Field(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*$", max_length=200, title="Function")] = Field(
        description="Its name, or Class.method."
    )
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*\.py$", max_length=80, title="File")] = Field(
        default="program.py", description="The name of the module's file."
    )
    objective: Annotated[str, Field(max_length=200, title="Objective", examples=["speed", "speed:2,size:1"])] = Field(
        default="speed", description="speed, memory, size or opcodes; several with weights as speed:2,size:1."
    )
    tests: Annotated[Source, Field(title="Tests")] | None = Field(
        default=None, description="A pytest file that a candidate must pass; calls in it are examples of inputs."
    )


_SORT: Final = '''\
def sort(items: list[int]) -> list[int]:
    """The items in ascending order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
'''
"""A bubble sort, the usual first attempt."""

_WORDS: Final = '''\
def count_words(text: str) -> dict[str, int]:
    """How often each word is there.

    >>> count_words("a b a")
    {'a': 2, 'b': 1}
    """
    words = text.split()
    found = {}
    for word in words:
        number = 0
        for other in words:
            if other == word:
                number += 1
        found[word] = number
    return found
'''


def plan(settings: Settings, request: RunRequest, seed: int, workshop: Workshop) -> Plan[ProgramTask]:
    """Return the plan of a request; a run with models records what ``settings`` contain about prompts and lookups.

    Raises:
        MendelError: the text is not Python, has no such function, or gives no information to make inputs from.
    """
    inputs = ProgramInputs.model_validate(request.inputs or {})
    asks = request.model_profile == LIVE
    task = _drafted(inputs, workshop.scrubber)
    if asks:
        task = task.model_copy(update=lookup_fields(settings))
    return run_plan(task, seed, inputs.search(models=asks), inputs.asked_caps())


def _drafted(inputs: ProgramInputs, scrubber: Scrubber) -> ProgramTask:
    """Return the task of a text, read from a folder without other files, so that it can import none."""
    with TemporaryDirectory(prefix="mendel-") as folder, _without(f"{folder}/"):
        path, tests = Path(folder, Path(inputs.name).name), Path(folder, _TESTS)  # a bare name cannot leave the folder
        path.write_text(inputs.source, "utf-8")
        if inputs.tests is not None:
            tests.write_text(inputs.tests, "utf-8")
        wish = Wish(
            path=path,
            function=inputs.function,
            tests=(tests,) if inputs.tests is not None else (),
            objectives=_objectives(inputs.objective),
        )
        task = drafted(wish, scrubber)
    return task.model_copy(update={"path": inputs.name, "paths": {task.main: inputs.name}})


def _objectives(told: str) -> dict[ObjectiveName, float]:
    try:
        return parse_objectives(told)
    except MendelError as error:
        raise Refused.at(error, {"inputs.objective": str(error)}) from None


@contextmanager
def _without(prefix: str) -> Iterator[None]:
    """Remove the temporary folder from errors, so that they use the name that the user knows."""
    try:
        yield
    except MendelError as error:
        error.args = tuple(str(each).replace(prefix, "") for each in error.args)
        raise


def form(settings: Settings) -> LaunchForm:
    """Return the form that begins a run of programs on a server with these settings."""
    return LaunchForm(
        inputs=ProgramInputs,
        plan=partial(plan, settings),
        examples=(
            FormExample(title="A slow sort", inputs={"source": _SORT, "function": "sort", "seconds": 20}),
            FormExample(
                title="Counting words, smaller and faster",
                inputs={"source": _WORDS, "function": "count_words", "objective": "speed:2,size:1", "seconds": 30},
            ),
        ),
    )
