"""A domain that does nothing, in this process: what is left is the kernel's own time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from mendel.contracts.entropy import Entropy
from mendel.contracts.evaluations import Case, Program
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.work import Answer, Work
from mendel.kernel.domain import Domain, Expression, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Examine, Move, Score
from mendel.ports.handlers import Ports
from mendel.selection.operators import Operator


class Number(BaseModel):
    """All that there is to a genome."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float


DOUBLED = Program.of("def doubled(value):\n    return 2 * value\n", "doubled")


def _number(value: float) -> DomainPayload:
    return DomainPayload(domain="noop", kind="number", version=1, data={"value": value})


class NoopDomain(Domain):
    """Numbers that are drawn and compared."""

    name: ClassVar[str] = "noop"
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {("number", 1): Number}
    steps: ClassVar[Mapping[str, Step]] = {"noop.vary": Step(), "noop.examine": Step()}
    operators: ClassVar[Sequence[Operator]] = (Operator(name="redraw", step="noop.vary"),)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """Four numbers."""
        return [_number(entropy.unit(index)) for index in range(4)]

    def challenges(self, config: RunConfig) -> bool:
        """Never."""
        return False

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """A number is itself."""
        return Expression(contents=(genome.traits,))

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Look at it once, and take it as its own fitness."""
        if dossier.phase in ("contending", "generation"):
            return ()
        seen = dossier.last("noop.examine")
        if seen is None:
            return (Examine(step="noop.examine"),)
        value = dossier.content.data["value"] if dossier.content is not None else 0.0
        return (Score(components={"value": float(str(value))}),)


async def vary(work: Work) -> Answer:
    """Another number."""
    return Answer(traits=_number(work.entropy.unit("value")))


async def weigh(work: Work, ports: Ports) -> Answer:
    """What a program makes of a number that is drawn; it is asked before a run begins."""
    ran = await ports.sandbox.evaluate(DOUBLED, [Case((work.entropy.below(10, "weight"),))])
    return Answer(findings=_number(float(str(ran.outcomes[0].value))))


async def examine(work: Work) -> Answer:
    """Nothing is found."""
    return Answer(findings=work.material.content)
