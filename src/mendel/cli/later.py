"""Commands that are imported when somebody asks for them: what only they need costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group


class LaterGroup(TyperGroup):
    """A group with further commands, listed first; ``later`` says where: ``module:name`` of a function or an app."""

    later: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - Typer keeps the type of its contexts private
        """The names of all."""
        return list(dict.fromkeys([*self.later, *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - … and that of its commands
        """The command; for a name that there is not all are imported, so that the nearest one can be offered."""
        unknown = cmd_name not in self.later and cmd_name not in self.commands
        for name in self.later:
            if unknown or name == cmd_name:
                self._import(name)
        return super().get_command(ctx, cmd_name)

    def _import(self, name: str) -> None:
        if name in self.commands:
            return
        module, _, attribute = self.later[name].partition(":")
        found = getattr(import_module(module), attribute)
        made = get_group(found) if isinstance(found, typer.Typer) else _alone(found)
        made.name = name
        self.add_command(made)


def _alone(function: Callable[..., None]) -> Any:  # noqa: ANN401 - as above
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return get_command(app)
