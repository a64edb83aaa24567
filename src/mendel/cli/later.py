"""Commands that are imported only when called, so that their imports do not slow down other commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

import typer
from typer.core import TyperGroup

from mendel.console.registered import DomainCommand, made_command
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import blamed

_TOLD: Final[tuple[type[BaseException], ...]] = (
    *(each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException"),
    *(BrokenPipeError, typer.Abort, typer.Exit),
)
"""Exceptions by which commands end on purpose. The first has no public name, because some Typers bundle Click."""
_ANYTHING: Final = {"ignore_unknown_options": True, "allow_extra_args": True}


class LaterGroup(TyperGroup):
    """A group with further commands, listed first; ``later`` maps their names to ``module:name`` of a function or app.

    Commands in ``unlisted`` do not appear in the help but can be called.

    ``elsewhere`` finds the commands of domains, which never share a name with the group's own; it is called only if
    the group's own commands do not match.
    """

    later: ClassVar[Mapping[str, str]] = {}
    unlisted: ClassVar[frozenset[str]] = frozenset()

    def elsewhere(self) -> Mapping[str, DomainCommand]:
        """Commands of domains by name, without loading them."""
        return {}

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - Typer keeps the type of its contexts private
        """Return the names of all commands."""
        return list(dict.fromkeys([*self.later, *self.elsewhere(), *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - … and that of its commands
        """Return the command; an unknown name imports all commands, so that Typer can suggest the nearest."""
        if cmd_name in self.later:
            self._add_own(cmd_name)
        elif cmd_name not in self.commands:
            foreign = self.elsewhere()
            for name in [cmd_name] if cmd_name in foreign else foreign:
                self._add(name, _foreign(foreign[name]))
            for name in self.later if cmd_name not in foreign else ():
                self._add_own(name)
        return super().get_command(ctx, cmd_name)

    def _add_own(self, name: str) -> None:
        if name not in self.commands:
            self._add(name, made_command(_imported(self.later[name]), hidden=name in self.unlisted))

    def _add(self, name: str, made: Any) -> None:  # noqa: ANN401 - as above
        made.name = name
        self.add_command(made)


def _imported(reference: str) -> object:
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


def _foreign(command: DomainCommand) -> Any:  # noqa: ANN401 - as above
    """Wrap a domain's command so that its errors name the domain; a broken one reports why on every call."""
    try:
        made = command.load()
    except BrokenPlugin as error:
        return _refusing(error)
    made.invoke = _blaming(command, made.invoke)  # parsing of its options stays Typer's
    return made


def _refusing(refusal: BrokenPlugin) -> Any:  # noqa: ANN401 - as above
    def broken() -> None:
        raise refusal

    about = f"Does not load; call it to see why.\n\n{refusal}"
    return made_command(broken, help=about, context_settings=_ANYTHING)  # its real options are unknown


def _blaming(command: DomainCommand, invoke: Callable[..., object]) -> Callable[..., object]:
    return blamed(command.owner.plugin.name, f"the command `{command.name}`", invoke, passing=_TOLD)
