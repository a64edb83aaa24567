"""The panels of programs on the page."""

from __future__ import annotations

from typing import Final

from mendel.api.panels import BarsPart, HeadlinePart, Panel, ShownColumn, ShownFigure, StatusPart

_AUDIT: Final = "proof.audit.findings.data"
_LARGEST: Final = f"{_AUDIT}.sizes.-1"

AUDIT: Final = Panel(
    name="program-audit",
    title="How much faster, on inputs that the search never saw",
    place="proof",
    when=f"{_LARGEST}.speedup",
    parts=(
        HeadlinePart(
            figure=ShownFigure(
                name="speedup",
                label=f"as fast on inputs of size {{{_LARGEST}.size}}",
                value=f"{_LARGEST}.speedup",
                format="factor",
                low=f"{_LARGEST}.lower",
                high=f"{_LARGEST}.upper",
            )
        ),
        BarsPart(
            name="speedup",
            caption="Speed-up by size of inputs, with its interval",
            rows=f"{_AUDIT}.sizes",
            label=ShownColumn(title="Size", value="size", format="number"),
            title="Speed-up",
            value="speedup",
            low="lower",
            high="upper",
            format="factor",
            scale="ratio",
            reference=1.0,
        ),
        StatusPart(
            name="audit-agrees",
            value=f"{_AUDIT}.agrees",
            yes=f"The answers agreed in {{{_AUDIT}.cases}} further cases.",
            no=f"The answers differed in {{{_AUDIT}.cases}} further cases.",
        ),
    ),
)
"""The audit of the winner: its speed-up by the size of inputs."""

PANELS: Final = (AUDIT,)
