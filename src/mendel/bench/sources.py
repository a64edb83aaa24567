"""The source of a task's inputs, for breeding and for the gate: a plan, or the user's own generator."""

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

_TRIES: Final = 20  # draws per wanted input, since a user's generator may repeat itself
MODERATE: Final = 60
"""Maximum size of most held-out inputs."""
LARGE_SHARE: Final = 0.04  # small, because the original is slow on large inputs
SHAPED_EVERY: Final = 12
"""Every twelfth input of the gate is large and of a held-out shape: some faults show only on large sorted ones, say."""


class Inputs(ABC):
    """Inputs that the seed determines; breeding and the gate never get inputs from the same draws."""

    @abstractmethod
    def seen(self, n: int, seed: int) -> list[Args]:
        """Return up to ``n`` different inputs that breeding may see."""

    @abstractmethod
    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """Return up to ``n`` different inputs of one size."""

    @abstractmethod
    def held(self, n: int, seed: int) -> list[Args]:
        """Return inputs that only the gate sees."""


class Planned(Inputs):
    """Inputs from a plan, and the examples."""

    def __init__(self, plan: InputPlan, task: FunctionTask, examples: Sequence[Args], run_seed: int) -> None:
        self._plan, self._task, self._examples = plan, task, list(examples)
        moderate = min(MODERATE, max(task.held_sizes, default=MODERATE))
        shapes = HELD_SHAPES if task.held_shapes is None else task.held_shapes
        seen = [*self._examples, *self.seen(task.cases, run_seed)]
        self._generator = held_out_generator(plan, sizes=[moderate], seen_examples=seen, shapes=shapes)

    def seen(self, n: int, seed: int) -> list[Args]:
        """Return the examples first, then inputs of the plan."""
        sizes = self._task.seen_sizes
        return seen_inputs(self._plan, sizes=sizes, n=n, seed=seed, examples=self._examples)

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """Return inputs of ordinary shape."""
        return timing_inputs(self._plan, size=size, n=n, seed=seed, held=held)

    def held(self, n: int, seed: int) -> list[Args]:
        """Return adversarial shapes, with a few inputs of the held-out sizes among them, every large shape in turn.

        These are few because the original is slow on them, which is why it is being improved.
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
    """Inputs from the user's own generator."""

    def __init__(self, rules: OwnRules, task: FunctionTask, examples: Sequence[Args]) -> None:
        self._rules, self._task, self._examples = rules, task, list(examples)

    def seen(self, n: int, seed: int) -> list[Args]:
        """Return the examples first, then inputs of the sizes in turn."""
        sizes = self._task.seen_sizes
        wanted = (self._rules.made(sizes[index % len(sizes)], seed, "seen", index) for index in range(n * _TRIES))
        return _different([*self._examples], wanted, n)

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:
        """Return inputs as the generator makes them."""
        label = "timed-held" if held else "timed"
        return _different([], (self._rules.made(size, seed, label, index) for index in range(n * _TRIES)), n)

    def held(self, n: int, seed: int) -> list[Args]:
        """Return inputs of size 0 up to moderate sizes, with a few of the held-out sizes among them."""
        entropy = Entropy("held", seed)
        return [self._one(entropy.child(index), seed, index) for index in range(n)]

    def _one(self, entropy: Entropy, seed: int, index: int) -> Args:
        held = self._task.held_sizes
        if entropy.unit("large") < LARGE_SHARE:
            return self._rules.made(entropy.pick(held, "size"), seed, "held", index)
        most = min(MODERATE, max(held))
        return self._rules.made(entropy.below(most + 1, "size"), seed, "held", index)


class Fixed(Inputs):
    """The single input of a function without arguments."""

    def seen(self, n: int, seed: int) -> list[Args]:  # noqa: ARG002 - there is one
        """Return the only input."""
        return [()]

    def timing(self, size: int, n: int, seed: int, *, held: bool) -> list[Args]:  # noqa: ARG002 - there is one
        """Return the only input."""
        return [()]

    def held(self, n: int, seed: int) -> list[Args]:  # noqa: ARG002 - there is one
        """Return the only input, ``n`` times."""
        return [()] * n


def _different(first: list[Args], more: Iterable[Args], n: int) -> list[Args]:
    found = {spelled(args): args for args in first}
    for args in more:
        if len(found) >= n:
            break
        found.setdefault(spelled(args), args)
    return list(found.values())[:n]


def inputs_of(task: FunctionTask, rules: OwnRules, run_seed: int) -> Inputs:
    """Return the source of the task's inputs.

    Raises:
        NoInputs: there is neither a generator nor a plan.
    """
    examples = [*(_arguments(each) for each in task.examples), *rules.examples]
    if rules.generate is not None:
        return Generated(rules, task, examples)
    if task.inputs is None:
        raise NoInputs(f"cannot make inputs for {task.function}: its task has neither a generator nor a plan")
    plan = InputPlan.model_validate(task.inputs)
    return Planned(plan, task, examples, run_seed) if plan.parameters else Fixed()


def _arguments(data: object) -> Args:
    return as_arguments(from_json(data))  # type: ignore[arg-type]
