"""Evolves with the ``openevolve`` package, and reports the time of each iteration.

Started as ``python openevolve_rate.py FOLDER PROGRAM EVALUATOR URL``, where FOLDER is empty and may be filled. Each
line on stdin is ``{"iterations": N, "workers": N}``, each answer on stdout ``{"wall_s": S, "done_s": [S, ...],
"programs": N, "version": V}``; the first line is ``{"ready": 1}``.

The configuration is the package's default except for the model's address, the iterations and the workers. The clock
runs for the duration of its ``run_evolution``; the initial program is evaluated, and the pool is created, before.
``done_s`` are the times of the children's entry into its database, on the same clock.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import sys
import tempfile
import time
from typing import Any, ClassVar

from openevolve import OpenEvolve  # type: ignore[import-not-found]
from openevolve.config import Config, LLMConfig, LLMModelConfig  # type: ignore[import-not-found]
from openevolve.process_parallel import ProcessParallelController  # type: ignore[import-not-found]

_FOLDER, _PROGRAM, _EVALUATOR, _URL = sys.argv[1:5]


class Clocked(ProcessParallelController):  # type: ignore[misc]
    """The package's controller with a clock."""

    began = 0.0
    wall_s = 0.0
    done_s: ClassVar[list[float]] = []

    async def run_evolution(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the package passes
        """Run the original method with a clock, and record the time of each added child."""
        add = self.database.add
        Clocked.done_s = []

        def added(*given: Any, **options: Any) -> Any:  # noqa: ANN401
            answer = add(*given, **options)
            if "iteration" in options:  # the database itself adds migrants, without an iteration
                Clocked.done_s.append(time.perf_counter() - Clocked.began)
            return answer

        self.database.add = added
        Clocked.began = time.perf_counter()
        try:
            return await super().run_evolution(*arguments, **named)
        finally:
            Clocked.wall_s = time.perf_counter() - Clocked.began


def _config(iterations: int, workers: int) -> Any:  # noqa: ANN401 - the package is not typed here
    config = Config(max_iterations=iterations)
    config.evaluator.parallel_evaluations = workers
    config.llm = LLMConfig(api_base=_URL, api_key="none", models=[LLMModelConfig(name="instant")])
    return config


def evolve(iterations: int, workers: int) -> dict[str, object]:
    """Run one evolution in a separate folder."""
    output = tempfile.mkdtemp(dir=_FOLDER)
    evolution = OpenEvolve(_PROGRAM, _EVALUATOR, config=_config(iterations, workers), output_dir=output)
    asyncio.run(evolution.run(iterations=iterations))
    programs = len(evolution.database.programs)
    return {"wall_s": Clocked.wall_s, "done_s": Clocked.done_s, "programs": programs}


def main() -> None:
    """Answer requests until stdin ends."""
    import openevolve.controller  # type: ignore[import-not-found]

    openevolve.controller.ProcessParallelController = Clocked
    # Its console log is written as usual, but discarded: the speed of the terminal must not count.
    answers = os.fdopen(os.dup(1), "w")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    version = importlib.metadata.version("openevolve")
    print(json.dumps({"ready": 1}), file=answers, flush=True)
    for line in sys.stdin:
        found = evolve(**json.loads(line))
        print(json.dumps(found | {"version": version}), file=answers, flush=True)


if __name__ == "__main__":
    main()
