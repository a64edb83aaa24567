"""The `mendel` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

import orjson
import structlog
import typer

from mendel import __version__
from mendel.cli.later import LaterGroup
from mendel.console.registered import DomainCommand, domain_commands
from mendel.console.session import JsonFlag, Session, printable, session_of
from mendel.contracts.errors import EXIT_DONE, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_MACHINERY, MendelError
from mendel.contracts.scrub import Scrubber
from mendel.wiring import configure_telemetry

EPILOG = "Exit codes: 0 done, 1 failed or rejected, 2 usage error, 3 undecided or nothing found, 4 system failure."


class _Commands(LaterGroup):
    """The commands, imported on demand: breeding and the gate load much code that most commands do not need."""

    later: ClassVar[Mapping[str, str]] = {
        "evolve": "mendel.cli.evolving:evolve",
        "report": "mendel.cli.evolving:report",
        "step": "mendel.cli.stepping:step",
        "guard": "mendel.cli.guard:app",
        "models": "mendel.cli.models:app",
        "serve": "mendel.cli.serving:serve",
        "run": "mendel.cli.running:run",
        "resume": "mendel.cli.running:resume",
        "stop": "mendel.cli.commanding:stop",
        "kill": "mendel.cli.commanding:kill",
        "cancel": "mendel.cli.commanding:cancel",
        "propose": "mendel.cli.commanding:propose",
        "set": "mendel.cli.commanding:set_parameters",
        "answer": "mendel.cli.commanding:answer",
        "watch": "mendel.cli.watching:watch",
        "replay": "mendel.cli.replaying:replay",
        "explain": "mendel.cli.explaining:explain",
        "runs": "mendel.cli.runs:runs",
        "show": "mendel.cli.runs:show",
        "events": "mendel.cli.runs:events",
        "log": "mendel.cli.log:app",
        "db": "mendel.cli.database:app",
        "config": "mendel.cli.config:app",
        "plugin": "mendel.cli.plugins:app",
        "sandbox": "mendel.cli.sandbox:app",
        "doctor": "mendel.cli.doctor:doctor",
    }
    unlisted: ClassVar[frozenset[str]] = frozenset({"answer"})  # for the server, not for people

    def elsewhere(self) -> Mapping[str, DomainCommand]:
        """The commands of domains."""
        return domain_commands()


app = typer.Typer(
    name="mendel",
    cls=_Commands,
    help="Breeds programs and other judged things, and records every step in a log that can be replayed.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # its tracebacks show local variables, which may be secrets
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def common(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder for Mendel's files; or set MENDEL_HOME.")] = None,
    settings: Annotated[Path | None, typer.Option("--config", help="Settings file instead of ./mendel.toml.")] = None,
    backend: Annotated[str | None, typer.Option("--log", help="Event log: postgres, file or a plug-in.")] = None,
) -> None:
    """Breeds programs and other judged things, and records every step in a log that can be replayed."""
    flags = {"home": home, "log.backend": backend}
    given = {key: value for key, value in flags.items() if value is not None}
    context.obj = Session(flags=given, config_file=settings)
    if context.invoked_subcommand != "config":  # `mendel config` must work with broken settings
        configure_telemetry(context.obj.loaded.settings)


@app.command()
def version(context: typer.Context, json: JsonFlag = False) -> None:
    """Print the version."""
    session = session_of(context)
    if json:
        session.answer({"version": __version__, "python": sys.version.split()[0]})
    else:
        session.out.print(f"mendel {__version__}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given))


def _run(arguments: list[str]) -> int:
    """Run a command and return its exit code; Typer itself reports usage errors, with code 2."""
    try:
        app(arguments)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else EXIT_DONE
    except MendelError as error:
        return _report(error.code, str(error), error.exit_code, as_json="--json" in arguments)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone; flushing must not fail
        return EXIT_FAILED
    except Exception as error:  # noqa: BLE001 - the process boundary: any other error is a bug
        structlog.get_logger(__name__).exception("unexpected_error")
        message = f"unexpected {type(error).__name__}; this is a bug in Mendel"
        return _report("internal", message, EXIT_MACHINERY, as_json="--json" in arguments)
    return EXIT_DONE


def _report(code: str, message: str, exit_code: int, *, as_json: bool = False) -> int:
    clean = Scrubber.from_environment(os.environ).text(message)  # a message may quote a secret
    if as_json:  # stdout, where a program expects the answer
        sys.stdout.write(orjson.dumps({"error": {"code": code, "message": clean}}).decode() + "\n")
    else:
        sys.stderr.write(f"mendel: {printable(clean)}\n")
    return exit_code


if __name__ == "__main__":
    main()
