"""The result of a benchmark: figures with their aims, and their raw samples."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class Figure(NamedTuple):
    """One number and its aim, such as ``>= 0.3``."""

    value: float
    aim: str

    @property
    def met(self) -> bool:
        """Whether the value meets the aim."""
        comparison, bound = self.aim.split()
        return _COMPARISONS[comparison](self.value, float(bound))


class Report(NamedTuple):
    """The outcome of one benchmark."""

    benchmark: str
    figures: Mapping[str, Figure]
    raw: Mapping[str, object]

    def as_json(self) -> str:
        """Return the report as one line, as printed by ``--json``."""
        figures = {name: {"value": round(f.value, 4), "aim": f.aim} for name, f in self.figures.items()}
        return json.dumps({"benchmark": self.benchmark, "figures": figures, "raw": self.raw})

    def show(self) -> None:
        """Print the figures and the summary of the raw data in readable form."""
        table = Table("figure", "value", "aim", "met", title=self.benchmark)
        for name, figure in self.figures.items():
            table.add_row(name, f"{figure.value:.3f}", figure.aim, "yes" if figure.met else "NO")
        console = Console()
        console.print(table)
        for name in ("summary", "machine", "unit", "sizes"):
            if name in self.raw:
                console.print_json(json.dumps({name: self.raw[name]}))
