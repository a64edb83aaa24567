"""The launch form of texts: a program in any language that a user pastes, with the command that runs it.

Commands run in the sandbox, and only if the server's operator allows them. Files of this machine that a command names
are not read: all that it needs must be pasted, too.
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
    """A program in any language. Its output must stay the same, or a command scores it."""

    source: Annotated[Source, Field(title="Source")] = Field(
        description="The program; marks `mendel: evolve` and `mendel: end` enclose what may change."
    )
    name: Annotated[FileName, Field(title="File", examples=["primes.awk"])] = Field(
        description="The name of its file, which commands refer to."
    )
    run: Annotated[Command, Field(title="Command", examples=["awk -f primes.awk"])] = Field(
        description="Builds and runs it in the sandbox; MENDEL_SEED is a number for its randomness."
    )
    score: Annotated[Command, Field(title="Score")] | None = Field(
        default=None, description="Reads the program's output, and prints a number on its last line."
    )
    minimize: Annotated[bool, Field(title="Less is better")] = Field(
        default=False, description="Whether lower scores are better."
    )
    files: Annotated[dict[FileName, Source], Field(max_length=20, title="Further files")] = Field(
        default={}, description="Files that it needs and that stay unchanged, by name."
    )
    score_files: Annotated[dict[FileName, Source], Field(max_length=20, title="Files of the score")] = Field(
        default={}, description="Files that only the score's command sees, by name."
    )
    time_limit: Annotated[float, Field(ge=0.1, le=600, title="Time limit")] | None = Field(
        default=None, description="Seconds until a run of the original is stopped."
    )
    memory_mb: Annotated[int, Field(ge=16, le=1 << 20, title="Memory")] | None = Field(
        default=None, description="Memory limit in MiB."
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
    """Return the plan of a request; a run with models records the prompts that ``settings`` name.

    Raises:
        RunRefused: commands are not allowed here.
        ConfigError: the request is invalid.
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
    """Return the form that begins a run of texts on a server with these settings."""
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
