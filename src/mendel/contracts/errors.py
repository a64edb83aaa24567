"""Every error that Mendel raises on purpose.

Each class has a stable ``code`` (for machines, logs and JSON) and the ``exit_code`` with which a command ends
when the error reaches the top. A message says what was wrong, where, and what to do.

::

    MendelError
    ├── ContractError                 what somebody handed in breaks a contract
    │   ├── UnknownEventType
    │   ├── InvalidPayload
    │   ├── PayloadTooDeep
    │   ├── PayloadTooLarge
    │   ├── PayloadUnserialisable
    │   ├── ForbiddenText             NUL or a lone surrogate
    │   ├── SchemaTooNew
    │   ├── UnknownDomainPayload
    │   ├── PayloadRegisteredTwice
    │   └── InvalidRow                a row does not fit the table that its domain has declared
    ├── LogError                      the log refuses
    │   ├── LogNotFound               nothing was ever written here
    │   ├── RunNotFound
    │   ├── SequenceConflict
    │   │   └── WriterFenced          somebody else took the run over
    │   ├── DuplicateEventId
    │   ├── RunBusy                   another conductor is alive
    │   ├── LogIntegrityError         what is stored is not what was written
    │   ├── RunFileError              an export that is cut, reordered or not ours
    │   └── ImportRefused             a differing run stands under that id
    ├── BlobError
    │   ├── BlobMissing
    │   ├── BlobAltered
    │   └── BlobTooLarge
    ├── ConfigError                   mendel.toml, an environment variable or a flag
    ├── PluginError
    │   ├── UnknownPlugin
    │   ├── BrokenPlugin
    │   ├── PathsCollide              two parts of a server want the same path
    │   └── ServiceNotStarted         a domain's service keeps the server from listening
    ├── KernelError                   a run cannot be begun, conducted or replayed
    │   ├── RunRefused                what a run asks for is not to be had: a cap above its ceiling, an unknown step
    │   │   └── NicheClaimed          another run may challenge in its niche, and is not over
    │   ├── CommandNotPossible        stop, kill or cancel in a state that does not allow it
    │   ├── IllegalTransition         an event that cannot follow what stands in the log
    │   ├── DomainFailed              a domain raised, answered nonsense, or never returned
    │   └── ReplayDiffers             a replay arrives elsewhere than the run did
    ├── GuardError                    the gate cannot judge
    │   ├── SpecFailed                a task's own code raised, gave too little, or contradicts itself
    │   ├── NotShippable              an implementation whose source cannot be taken into the sandbox
    │   └── SamplesRefused            recorded samples that are no fresh, finite observations of one kind
    ├── BreedingError                 what is to be varied cannot be
    │   └── SourceNotPython           a file that does not parse, or is too large
    ├── FunctionError                 a function cannot be bred
    │   ├── NoSuchFunction            the file has none of that name
    │   ├── NoInputs                  nothing says what it is called with
    │   ├── OracleUnfit               the original raises, never ends, is random, changes its input
    │   └── TestsFail                 the user's tests fail on the original
    ├── FabricError
    │   ├── FabricClosed              the lane takes nothing more
    │   └── HandlerFailed             a handler's own way of saying that its operation failed
    │       ├── AllowanceSpent        it wants more than its operation was allowed
    │       ├── PortNotNamed          it reaches for a port that its step does not name
    │       ├── PortNotOpen           it reaches for a port that nothing opened where it runs
    │       └── ChildFailed           a child operation that it asked for failed, or was refused
    ├── ModelError                    a model cannot be asked, or nobody answered
    │   ├── ModelRequestRefused       a role that has its own port, tools for the wrong role
    │   ├── ModelCallFailed           every attempt failed; says why, and has them all
    │   └── NoPrice                   nobody knows what a model costs, so no cap could hold
    └── MachineryError                not your input: the machine itself
        ├── DatabaseUnavailable
        ├── DatabaseNotReady          reachable, but not migrated or not permitted
        ├── EmbeddedServerError
        ├── StorageError              a folder without permission, a full disk
        └── SandboxError              the sandbox, never the program in it: what a program does is an outcome
            ├── SandboxUnavailable    a layer is missing, and nobody allowed to do without it
            ├── SandboxRefused        a grant that is not to be had, a request above a ceiling
            └── SandboxFailed         it broke while it worked
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from mendel.contracts.energy import Usage
from mendel.contracts.model_calls import AttemptRecord, FailureReason

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOTHING = 3
EXIT_MACHINERY = 4
EXIT_INTERRUPTED = 130


class MendelError(Exception):
    """Root of the tree; catching it catches everything Mendel raises on purpose."""

    code: ClassVar[str] = "mendel_error"
    exit_code: ClassVar[int] = EXIT_FAILED


def error_class(name: str) -> type[MendelError] | None:
    """The class of that name, for an error that travelled by its name; None if the tree has none that is loaded."""
    return next((each for each in _tree(MendelError) if each.__name__ == name), None)


def _tree(root: type[MendelError]) -> Iterator[type[MendelError]]:
    yield root
    for each in root.__subclasses__():
        yield from _tree(each)


class ContractError(MendelError):
    """What was handed in breaks a contract; nothing of it was kept."""

    code = "contract"


class UnknownEventType(ContractError):
    """The closed registry has no such event type."""

    code = "unknown_event_type"


class InvalidPayload(ContractError):
    """A payload does not fit the model of its type."""

    code = "invalid_payload"


class PayloadTooDeep(ContractError):
    """A payload nests deeper than the ceiling."""

    code = "payload_too_deep"


class PayloadTooLarge(ContractError):
    """A payload's canonical bytes exceed the ceiling."""

    code = "payload_too_large"


class PayloadUnserialisable(ContractError):
    """A payload holds a value that JSON cannot carry without loss."""

    code = "payload_unserialisable"


class ForbiddenText(ContractError):
    """A string holds NUL or a lone surrogate, which not every reader of the log could take."""

    code = "forbidden_text"


class SchemaTooNew(ContractError):
    """An event was written by a newer Mendel than this one."""

    code = "schema_too_new"


class UnknownDomainPayload(ContractError):
    """No model is registered under that (domain, kind, version)."""

    code = "unknown_domain_payload"


class PayloadRegisteredTwice(ContractError):
    """Two models claim the same (domain, kind, version)."""

    code = "payload_registered_twice"


class InvalidRow(ContractError):
    """A row does not fit the table that a domain has declared for it."""

    code = "invalid_row"


class LogError(MendelError):
    """The log refuses; what it holds is unchanged."""

    code = "log"


class LogNotFound(LogError):
    """There is no log yet where one was looked for, and looking does not make one."""

    code = "log_not_found"
    exit_code = EXIT_NOTHING


class RunNotFound(LogError):
    """The log has no such run."""

    code = "run_not_found"
    exit_code = EXIT_NOTHING


class SequenceConflict(LogError):
    """The batch was meant for another place in the log than the one that is next."""

    code = "sequence_conflict"


class WriterFenced(SequenceConflict):
    """A writer's run was taken over by another one; this writer can append no more."""

    code = "writer_fenced"


class DuplicateEventId(LogError):
    """An event id stands in the log already; ids are unique for ever."""

    code = "duplicate_event_id"


class RunBusy(LogError):
    """Another living conductor holds the run."""

    code = "run_busy"


IntegrityReason = Literal[
    "gap",
    "out_of_order",
    "schema_too_new",
    "altered",
    "chain_broken",
    "unreadable",
    "tail_cut",
    "blob_missing",
    "blob_altered",
]


class LogIntegrityError(LogError):
    """What is stored is not what was written; names the first bad row and how it is bad."""

    code = "log_integrity"

    def __init__(self, reason: IntegrityReason, sequence: int, detail: str) -> None:
        super().__init__(f"{reason} at sequence {sequence}: {detail}")
        self.reason: IntegrityReason = reason
        self.sequence = sequence
        self.detail = detail


class RunFileError(LogError):
    """A run file is truncated, reordered, or not a run file."""

    code = "run_file"


class ImportRefused(LogError):
    """The run file cannot enter this log: it differs from what stands there, or holds what may not enter."""

    code = "import_refused"


class BlobError(MendelError):
    """A blob cannot be stored or had."""

    code = "blob"


class BlobMissing(BlobError):
    """No blob is stored under that hash."""

    code = "blob_missing"
    exit_code = EXIT_NOTHING


class BlobAltered(BlobError):
    """The stored bytes do not have the hash they are stored under."""

    code = "blob_altered"


class BlobTooLarge(BlobError):
    """The blob is above the store's ceiling."""

    code = "blob_too_large"


class ConfigError(MendelError):
    """A setting is wrong; the message names its source, its key and what was expected."""

    code = "config"
    exit_code = EXIT_USAGE


class PluginError(MendelError):
    """A plug-in cannot be used."""

    code = "plugin"


class UnknownPlugin(PluginError):
    """No plug-in of that name is installed; the message lists those that are."""

    code = "unknown_plugin"
    exit_code = EXIT_USAGE


class BrokenPlugin(PluginError):
    """A plug-in is installed but cannot be loaded."""

    code = "broken_plugin"
    exit_code = EXIT_MACHINERY


class PathsCollide(PluginError):
    """Two of a server's parts want the same path."""

    code = "paths_collide"
    exit_code = EXIT_MACHINERY


class ServiceNotStarted(PluginError):
    """A domain's service keeps the server from listening, and says why."""

    code = "service_not_started"
    exit_code = EXIT_MACHINERY


class KernelError(MendelError):
    """A run cannot be begun, conducted or replayed."""

    code = "kernel"


class RunRefused(KernelError):
    """The run does not begin; nothing of it was recorded."""

    code = "run_refused"
    exit_code = EXIT_USAGE


class NicheClaimed(RunRefused):
    """A niche is claimed by one run at a time: the one that may challenge in it, until it is over (rule 10)."""

    code = "niche_claimed"


class CommandNotPossible(KernelError):
    """What was asked cannot be done in the state the run is in."""

    code = "command_not_possible"


class IllegalTransition(KernelError):
    """An event that cannot follow what stands in the log before it."""

    code = "illegal_transition"


class DomainFailed(KernelError):
    """A domain's own code raised, answered with the wrong type, or never returned."""

    code = "domain_failed"


class ReplayDiffers(KernelError):
    """Folding the log leads to another state than the run recorded."""

    code = "replay_differs"


class GuardError(MendelError):
    """The gate cannot judge; this is never said of what a candidate does."""

    code = "guard"
    exit_code = EXIT_USAGE


class SpecFailed(GuardError):
    """A task's generator, relation, metric or equivalence raised, gave too little, or contradicts itself."""

    code = "spec_failed"


class NotShippable(GuardError):
    """An implementation cannot be taken into the sandbox as source; the message names what stands in the way."""

    code = "not_shippable"


class SamplesRefused(GuardError):
    """Recorded samples cannot be judged: a case that an earlier challenge saw, or a value of the wrong kind."""

    code = "samples_refused"


class BreedingError(MendelError):
    """What is to be varied cannot be varied."""

    code = "breeding"
    exit_code = EXIT_USAGE


class SourceNotPython(BreedingError):
    """A file does not parse, or is too large; the message says where."""

    code = "source_not_python"


class FunctionError(MendelError):
    """A function cannot be bred as it is asked for."""

    code = "function"
    exit_code = EXIT_USAGE


class NoSuchFunction(FunctionError):
    """The file has no function of that name; the message offers the nearest ones."""

    code = "no_such_function"


class NoInputs(FunctionError):
    """Nothing says what the function is called with; the message says what to add."""

    code = "no_inputs"


class OracleUnfit(FunctionError):
    """The original cannot say what is right: it raises, never ends, is random, or changes its input."""

    code = "oracle_unfit"


class TestsFail(FunctionError):
    """The user's own tests fail on the original, so that they can screen nothing."""

    __test__ = False
    code = "tests_fail"


class FabricError(MendelError):
    """A task cannot be carried out."""

    code = "fabric"


class FabricClosed(FabricError):
    """The lane drains or is closed and takes nothing more."""

    code = "fabric_closed"


class HandlerFailed(FabricError):
    """The operation failed; ``reason`` is a stable code, ``usage`` what it used up nevertheless.

    A failure that does not say what it used counts at its worst case (rule 1).
    """

    code = "handler_failed"

    def __init__(self, reason: str, message: str, *, usage: Usage | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.reason = reason
        self.usage = usage
        self.attempts = attempts


class AllowanceSpent(HandlerFailed):
    """A handler wants more than its operation was allowed; nothing of that was begun."""

    code = "allowance_spent"

    def __init__(self, message: str) -> None:
        super().__init__("over_allowance", message)


class PortNotNamed(HandlerFailed):
    """A handler reaches for a port that its step does not name."""

    code = "port_not_named"

    def __init__(self, message: str) -> None:
        super().__init__("port_not_named", message)


class PortNotOpen(HandlerFailed):
    """A handler reaches for a port that nothing opened where it runs."""

    code = "port_not_open"

    def __init__(self, message: str) -> None:
        super().__init__("port_not_open", message)


class ChildFailed(HandlerFailed):
    """A child operation that a handler asked for failed, for the reason that it gives, or was refused."""

    code = "child_failed"


class ModelError(MendelError):
    """A model cannot be asked, or nobody answered."""

    code = "model"


class ModelRequestRefused(ModelError):
    """What is asked is no request."""

    code = "model_request_refused"
    exit_code = EXIT_USAGE


class ModelCallFailed(ModelError):
    """Nobody answered; ``reason`` is a stable code, ``records`` are all attempts."""

    code = "model_call_failed"

    def __init__(self, reason: FailureReason, message: str, records: tuple[AttemptRecord, ...] = ()) -> None:
        super().__init__(message)
        self.reason: FailureReason = reason
        self.records = records


class NoPrice(ModelError):
    """Nobody knows what a model costs: a cap on money could not hold."""

    code = "no_price"
    exit_code = EXIT_USAGE


class MachineryError(MendelError):
    """The machine, not the input: a server, a disk, a missing part."""

    code = "machinery"
    exit_code = EXIT_MACHINERY


class DatabaseUnavailable(MachineryError):
    """PostgreSQL cannot be reached, or went away."""

    code = "database_unavailable"


class DatabaseNotReady(MachineryError):
    """PostgreSQL answers, but its schema or this role's rights are not what Mendel needs."""

    code = "database_not_ready"


class EmbeddedServerError(MachineryError):
    """The embedded PostgreSQL cannot be started or stopped."""

    code = "embedded_server"


class StorageError(MachineryError):
    """A file or folder cannot be read or written."""

    code = "storage"


class SandboxError(MachineryError):
    """The sandbox failed, not the program: what a program does in it is an outcome, never an error."""

    code = "sandbox"


class SandboxUnavailable(SandboxError):
    """Too few layers can be had here; the message names each missing one and its remedy."""

    code = "sandbox_unavailable"


class SandboxRefused(SandboxError):
    """What was asked of the sandbox is not allowed, or not to be had."""

    code = "sandbox_refused"
    exit_code = EXIT_USAGE


class SandboxFailed(SandboxError):
    """The sandbox broke while it worked; nothing is known about the program."""

    code = "sandbox_failed"
