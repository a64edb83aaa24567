"""Commands that are imported when somebody asks for them: what only they need costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group


class LaterGroup(TyperGroup):
    """A group with further commands, listed first; ``later`` says where: ``module:name`` of a function or an app.

    ``elsewhere`` finds more of them, of which none has the name of one of the group's own; it is asked only where the
    group's own do not do.
    """

    later: ClassVar[Mapping[str, str]] = {}

    def elsewhere(self) -> Mapping[str, Callable[[], object]]:
        """Further commands by name, each to be loaded."""
        return {}

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - Typer keeps the type of its contexts private
        """The names of all."""
        return list(dict.fromkeys([*self.later, *self._foreign(), *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - … and that of its commands
        """The command; for a name that there is not all are imported, so that the nearest one can be offered."""
        if cmd_name in self.later:
            self._add(cmd_name, partial(_imported, self.later[cmd_name]))
        elif cmd_name not in self.commands:
            foreign = self._foreign()
            named = {cmd_name: foreign[cmd_name]} if cmd_name in foreign else foreign
            for name, load in named.items():
                self._add(name, load)
            if cmd_name not in foreign:
                for name, reference in self.later.items():
                    self._add(name, partial(_imported, reference))
        return super().get_command(ctx, cmd_name)

    def _foreign(self) -> Mapping[str, Callable[[], object]]:
        own = {*self.later, *self.commands}
        return {name: load for name, load in self.elsewhere().items() if name not in own}

    def _add(self, name: str, load: Callable[[], object]) -> None:
        if name in self.commands:
            return
        found = load()
        made = get_group(found) if isinstance(found, typer.Typer) else _alone(found)
        made.name = name
        self.add_command(made)


def _imported(reference: str) -> object:
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


def _alone(function: Any) -> Any:  # noqa: ANN401 - as above
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return get_command(app)
