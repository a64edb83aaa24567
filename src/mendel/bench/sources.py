"""Where a task's inputs come from, for breeding and for the gate: a plan, or the user's own generator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final

from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.mixtures import held_out_generator, seen_inputs, timing_inputs
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.shapes import HELD_SHAPES
from mendel.bench.records import FunctionTask
from mendel.bench.spec_file import OwnRules
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import NoInputs
from mendel.contracts.plain_values import spelled
from mendel.contracts.value_json import from_json
from mendel.guard.spec import Args, as_arguments

_TRIES: Final = 20
MODERATE: Final = 60
"""How large most held-out inputs are at most."""
LARGE_SHARE: Final = 0.04
SHAPED_EVERY: Final = 12
"""So often an input of the gate is both large and of a held-out shape: what is wrong on large sorted ones only is."""


class Inputs(ABC):
    """Deterministic in the seed; what breeding sees and what the gate sees never come from the same draws."""

    @abstractmethod
    def seen(self, n: int, seed: int) -> list[Args]:
        """Different inputs that breeding may see, ``n`` or fewer."""

    @abstractmethod
    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """Different inputs of one size."""

    @abstractmethod
    def held(self, n: int, seed: int) -> list[Args]:
        """Inputs that only the gate sees."""


class Planned(Inputs):
    """From a plan, with the examples that there are."""

    def __init__(self, plan: InputPlan, task: FunctionTask, examples: Sequence[Args], run_seed: int) -> None:
        self._plan, self._task, self._examples = plan, task, list(examples)
        moderate = min(MODERATE, max(task.held_sizes, default=MODERATE))
        shapes = HELD_SHAPES if task.held_shapes is None else task.held_shapes
        seen = [*self._examples, *self.seen(task.cases, run_seed)]
        self._generator = held_out_generator(plan, sizes=[moderate], seen_examples=seen, shapes=shapes)

    def seen(self, n: int, seed: int) -> list[Args]:
        """Examples first."""
        sizes = self._task.seen_sizes
        return seen_inputs(self._plan, sizes=sizes, n=n, seed=seed, examples=self._examples)

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """Of ordinary shape."""
        return timing_inputs(self._plan, size=size, n=n, seed=seed, held=held)

    def held(self, n: int, seed: int) -> list[Args]:
        """Adversarial shapes, and now and then one of the sizes that breeding never sees, every such shape in turn.

        These are few, since the original is slow on them: that is why it is here.
        """
        entropy = Entropy("held", seed)
        return [self._held(entropy, index, args) for index, args in enumerate(self._generator(n, seed))]

    def _held(self, entropy: Entropy, index: int, small: Args) -> Args:
        shapes, drawn = self._task.large_shapes, entropy.child(index)
        if shapes and index % SHAPED_EVERY == SHAPED_EVERY - 1:
            return self._shaped(shapes[index // SHAPED_EVERY % len(shapes)], drawn)
        return self._large(drawn) if entropy.unit("large", index) < LARGE_SHARE else small

    def _shaped(self, shape: str, entropy: Entropy) -> Args:
        size, seed = max(self._task.held_sizes), entropy.word("seed") >> 1
        return draw(self._plan, size=size, shape=shape, seed=seed, index=0)

    def _large(self, entropy: Entropy) -> Args:
        size = entropy.pick(self._task.held_sizes, "size")
        return timing_inputs(self._plan, size=size, n=1, seed=entropy.word("seed") >> 1, held=True)[0]


class Generated(Inputs):
    """From the user's own generator."""

    def __init__(self, rules: OwnRules, task: FunctionTask, examples: Sequence[Args]) -> None:
        self._rules, self._task, self._examples = rules, task, list(examples)

    def seen(self, n: int, seed: int) -> list[Args]:
        """Examples first, then the sizes in turn."""
        sizes = self._task.seen_sizes
        wanted = (self._rules.made(sizes[index % len(sizes)], seed, "seen", index) for index in range(n * _TRIES))
        return _different([*self._examples], wanted, n)

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """As the generator makes them."""
        label = "timed-held" if held else "timed"
        return _different([], (self._rules.made(size, seed, label, index) for index in range(n * _TRIES)), n)

    def held(self, n: int, seed: int) -> list[Args]:
        """Sizes from nothing up to moderate ones, and now and then one that breeding never sees."""
        entropy = Entropy("held", seed)
        return [self._one(entropy.child(index), seed, index) for index in range(n)]

    def _one(self, entropy: Entropy, seed: int, index: int) -> Args:
        held = self._task.held_sizes
        if entropy.unit("large") < LARGE_SHARE:
            return self._rules.made(entropy.pick(held, "size"), seed, "held", index)
        most = min(MODERATE, max(held))
        return self._rules.made(entropy.below(most + 1, "size"), seed, "held", index)


class Fixed(Inputs):
    """A function that takes no arguments has one input."""

    def seen(self, n: int, seed: int) -> list[Args]:  # noqa: ARG002 - there is one
        """The only one."""
        return [()]

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:  # noqa: ARG002 - there is one
        """The only one."""
        return [()]

    def held(self, n: int, seed: int) -> list[Args]:  # noqa: ARG002 - there is one
        """The only one, again and again."""
        return [()] * n


def _different(first: list[Args], more: Iterable[Args], n: int) -> list[Args]:
    found = {spelled(args): args for args in first}
    for args in more:
        if len(found) >= n:
            break
        found.setdefault(spelled(args), args)
    return list(found.values())[:n]


def inputs_of(task: FunctionTask, rules: OwnRules, run_seed: int) -> Inputs:
    """Where the task's inputs come from.

    Raises:
        NoInputs: nothing says so.
    """
    examples = [*(_arguments(each) for each in task.examples), *rules.examples]
    if rules.generate is not None:
        return Generated(rules, task, examples)
    if task.inputs is None:
        raise NoInputs(f"nothing says what {task.function} is called with")
    plan = InputPlan.model_validate(task.inputs)
    return Planned(plan, task, examples, run_seed) if plan.parameters else Fixed()


def _arguments(data: object) -> Args:
    return as_arguments(from_json(data))  # type: ignore[arg-type]
