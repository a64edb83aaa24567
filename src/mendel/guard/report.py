"""Reports: a verdict with everything needed to replay it, as JSON and as an HTML page."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mendel.contracts.errors import ConfigError, StorageError
from mendel.contracts.evaluations import Program, Shape
from mendel.contracts.verdicts import Decision, MetricComparison, Provenance, Verdict, Violation
from mendel.guard.config import GuardConfig
from mendel.guard.implementation import Implementation
from mendel.guard.page import page

EXIT_CODES = {Decision.ADOPT: 0, Decision.REJECT: 1, Decision.UNDECIDED: 3}


@dataclass(frozen=True)
class Report:
    """The result of :func:`mendel.guard.run`."""

    task: str
    verdict: Verdict
    config: GuardConfig
    candidate: Implementation
    baseline: Implementation | None = None
    reference: str | None = None

    def __repr__(self) -> str:
        return f"Report({self.task!r}, {self.decision}, {self.code})"

    @property
    def adopt(self) -> bool:
        """Whether the gate adopts the candidate."""
        return self.verdict.decision is Decision.ADOPT

    @property
    def decision(self) -> Decision:
        """Adopt, reject or undecided."""
        return self.verdict.decision

    @property
    def reason(self) -> str:
        """The first reason, as a sentence."""
        return self.verdict.reasons[0].message

    @property
    def code(self) -> str:
        """The first reason's code."""
        return self.verdict.reasons[0].code

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Cases with a violation by either side."""
        return self.verdict.violations

    @property
    def metrics(self) -> dict[str, MetricComparison]:
        """The comparison of each metric: both sides' summaries and the delta."""
        return self.verdict.metrics

    @property
    def provenance(self) -> Provenance:
        """Hashes, seeds, versions and the sandbox behind the verdict."""
        return self.verdict.provenance

    @property
    def exit_code(self) -> int:
        """0 adopt, 1 reject, 3 undecided."""
        return EXIT_CODES[self.verdict.decision]

    def to_json(self) -> dict[str, Any]:
        """Return the verdict's fields together with the task, the configuration and both sources."""
        return {
            "task": self.task,
            "task_reference": self.reference,
            "adopt": self.adopt,
            "reason": self.reason,
            **self.verdict.model_dump(mode="json"),
            "config": self.config.model_dump(mode="json", exclude_none=True),
            "implementations": {
                "candidate": _shipped(self.candidate),
                **({"baseline": _shipped(self.baseline)} if self.baseline is not None else {}),
            },
        }

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - JSON
        return self.to_json()[name]

    def to_html(self) -> str:
        """Return a self-contained HTML page with drawn intervals."""
        return page(self.to_json())

    def write(self, folder: str | Path) -> Path:
        """Write ``report_<timestamp>.json`` and a page of the same name; return the path of the JSON file.

        Raises:
            StorageError: the folder cannot be written to; no partial files are left.
        """
        place = Path(folder)
        path = _free(place)
        text = json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"
        try:
            place.mkdir(parents=True, exist_ok=True)
            _written(path.with_suffix(".html"), self.to_html())
            _written(path, text)  # last, so that a JSON report always has its page
        except OSError as error:
            with suppress(OSError):
                path.with_suffix(".html").unlink()
            raise StorageError(f"the report cannot be written to {place}: {error.strerror or error}") from error
        return path


def _shipped(implementation: Implementation) -> dict[str, Any]:
    program = implementation.program
    files = {path: text.encode("utf-8", "replace").decode() for path, text in program.files.items()}
    shapes = [[shape.name, list(shape.fields)] for shape in program.shapes]
    hashed = implementation.hash
    return {"origin": implementation.origin, "entry": program.entry, "files": files, "shapes": shapes, "hash": hashed}


def _free(folder: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return folder / f"report_{stamp}.json"


def _written(path: Path, text: str) -> None:
    part = path.with_suffix(path.suffix + ".part")  # renamed when complete: a crash leaves no truncated report
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def load_report(path: str | Path) -> Report:
    """Read a report from its JSON file.

    Raises:
        ConfigError: the file cannot be read or is not a report.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        sides = {name: _unshipped(each) for name, each in data.pop("implementations").items()}
        config = GuardConfig(**data.pop("config"))
        task, reference = data.pop("task"), data.pop("task_reference")
        del data["adopt"], data["reason"]  # both follow from the verdict
        return Report(task, Verdict.model_validate(data), config, sides["candidate"], sides.get("baseline"), reference)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path}: not a report of the gate: {error}") from error


def _unshipped(data: dict[str, Any]) -> Implementation:
    shapes = tuple(Shape(name, tuple(fields)) for name, fields in data["shapes"])
    return Implementation.of_program(Program(data["files"], data["entry"], shapes), data["origin"])
