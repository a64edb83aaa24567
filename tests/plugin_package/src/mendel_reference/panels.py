"""The panels that the reference domain adds to the page."""

from __future__ import annotations

from mendel.api.panels import (
    BarsPart,
    FiguresPart,
    Panel,
    ShownColumn,
    ShownFigure,
    StatusPart,
    TablePart,
    TextPart,
)

CLOSEST = Panel(
    name="reference-closest",
    title="Who is closest",
    place="run",
    source="runs/{run_id}/closeness",
    parts=(
        FiguresPart(
            figures=(
                ShownFigure(name="squared", label="Squared distance", value="champion.findings.measure.squared"),
                ShownFigure(
                    name="target", label="Target along the first axis", value="config.domain_config.data.target.0"
                ),
            )
        ),
        TablePart(
            name="closest",
            caption="The closest candidates",
            rows="answer",
            columns=(
                ShownColumn(title="Candidate", value="candidate"),
                ShownColumn(title="Closeness", value="total", format="share"),
            ),
        ),
    ),
)
WEIGHED = Panel(
    name="reference-weighed",
    title="What the gate weighed",
    place="proof",
    note="Point {proof.winner.birth} of its run.",
    when="proof.verdict.decision",
    parts=(
        StatusPart(name="over", value="proof.over", yes="The run is over.", no="The run goes on."),
        BarsPart(
            name="interval",
            caption="What was compared",
            rows="proof.verdict.intervals",
            label=ShownColumn(title="What", value="name"),
            title="Estimate",
            value="estimate",
            low="lower",
            high="upper",
        ),
        TextPart(name="patch", label="What changed", value="proof.patch", language="diff"),
    ),
)
PANELS = (CLOSEST, WEIGHED)
