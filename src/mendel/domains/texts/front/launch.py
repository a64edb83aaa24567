"""The launch form of texts: a program in any language that somebody pastes, with the command that runs it.

Commands run behind the wall, and only where whoever runs the server allows them. Files of this machine that a command
names stay where they are: what is needed is pasted, too.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from mendel.api.domains.bounds import BoundsAsked, FileName, Source
from mendel.api.launch_schemas import FormExample, RunRequest
from mendel.api.registration import LaunchForm, Workshop
from mendel.bench.planning import Plan
from mendel.contracts.errors import RunRefused
from mendel.contracts.run_config import LIVE
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.preparing import plan as run_plan
from mendel.domains.texts.wishes import TextWish, pasted
from mendel.settings import Settings, templates_of

REFUSAL: Final = (
    "runs of texts run commands, and this server allows none; set sandbox.allow_commands = true in mendel.toml (or"
    " MENDEL_SANDBOX__ALLOW_COMMANDS=true) and start it again, or begin the run with `mendel evolve FILE --run CMD`"
)
Command = Annotated[str, Field(min_length=1, max_length=4_000)]


class TextInputs(BoundsAsked):
    """A program in any language. What it prints has to stay the same, or a command scores it."""

    source: Annotated[Source, Field(title="Source")] = Field(
        description="The program; marks `mendel: evolve` and `mendel: end` say what of it may change."
    )
    name: Annotated[FileName, Field(title="File", examples=["primes.awk"])] = Field(
        description="What its file is called; commands find it under this name."
    )
    run: Annotated[Command, Field(title="Command", examples=["awk -f primes.awk"])] = Field(
        description="Builds and runs it, behind the wall; MENDEL_SEED is a number that it may draw from."
    )
    score: Annotated[Command, Field(title="Score")] | None = Field(
        default=None, description="Reads what the program printed, and prints a number on its last line."
    )
    minimize: Annotated[bool, Field(title="Less is better")] = Field(
        default=False, description="Whether less is better in the score."
    )
    files: Annotated[dict[FileName, Source], Field(max_length=20, title="Further files")] = Field(
        default={}, description="Files that it needs and that stay as they are, by name."
    )
    score_files: Annotated[dict[FileName, Source], Field(max_length=20, title="Files of the score")] = Field(
        default={}, description="Files that only the score's command sees, by name."
    )
    time_limit: Annotated[float, Field(ge=0.1, le=600, title="Time limit")] | None = Field(
        default=None, description="After how many seconds the original is given up."
    )
    memory_mb: Annotated[int, Field(ge=16, le=1 << 20, title="Memory")] | None = Field(
        default=None, description="What memory it may take, in MiB."
    )


_PRIMES: Final = """\
BEGIN {
  count = 0
  for (n = 2; n < 2000; n++) {
    prime = 1
    for (d = 2; d < n; d++) {
      if (n % d == 0) prime = 0
    }
    if (prime) count++
  }
  print count
}
"""


def plan(settings: Settings, request: RunRequest, seed: int, workshop: Workshop) -> Plan[TextTask]:
    """What is asked for; a run that asks models keeps the prompts that ``settings`` name.

    Raises:
        RunRefused: nobody has allowed commands here.
        ConfigError: what is asked for cannot be.
    """
    if not workshop.commands_allowed:
        raise RunRefused(REFUSAL)
    inputs = TextInputs.model_validate(request.inputs or {})
    asks = request.model_profile == LIVE
    task = pasted(_wish(inputs), inputs.source, inputs.files, inputs.score_files, workshop.scrubber)
    if asks:
        task = task.model_copy(update={"templates": templates_of(settings)})
    return run_plan(task, seed, inputs.search(models=asks), inputs.asked_caps())


def _wish(inputs: TextInputs) -> TextWish:
    return TextWish(
        files=(Path(inputs.name),),
        run=inputs.run,
        score=inputs.score,
        maximize=not inputs.minimize,
        case_s=inputs.time_limit,
        memory_mb=inputs.memory_mb,
    )


def _refusal(workshop: Workshop) -> str | None:
    return None if workshop.commands_allowed else REFUSAL


def form(settings: Settings) -> LaunchForm:
    """What is filled in to begin a run of texts on a server with these settings."""
    return LaunchForm(
        inputs=TextInputs,
        plan=partial(plan, settings),
        refusal=_refusal,
        examples=(
            FormExample(
                title="Counting primes in AWK",
                inputs={"source": _PRIMES, "name": "primes.awk", "run": "awk -f primes.awk", "seconds": 30},
            ),
        ),
    )
