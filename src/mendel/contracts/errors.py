"""The exceptions that Mendel raises on purpose, in one tree.

Every class has two stable attributes: ``code``, unique in the tree, identifies the error in logs and JSON;
``exit_code`` is the exit status of a command that ends with it. The message is for people: it says what went wrong,
where, and what to do. Catch a branch to handle one kind of problem, or ``MendelError`` to handle them all. An
unexpected exception is a bug: the command then reports the code ``internal`` and exits with 4.

Exit codes: 0 success, 1 failure, 2 wrong input or configuration, 3 nothing found, 4 a fault of the machine or the
installation, 130 Ctrl-C. A number in brackets is the exit code of a class and of its subclasses; the default is 1.

::

    MendelError
    ├── ContractError                 input breaks a contract; nothing was stored
    │   ├── UnknownEventType          the event type is not in the closed registry
    │   ├── InvalidPayload            the payload does not fit the model of its type
    │   ├── PayloadTooDeep            containers nest too deeply
    │   ├── PayloadTooLarge           the payload is above the size limit: store the large part as a blob
    │   ├── PayloadUnserialisable     JSON cannot represent a value without loss
    │   ├── ForbiddenText             a string contains NUL or a lone surrogate
    │   ├── SchemaTooNew              a newer Mendel wrote the event: upgrade
    │   ├── UnknownDomainPayload      no model is registered for this domain, kind and version
    │   ├── PayloadRegisteredTwice    two models claim the same domain, kind and version
    │   └── InvalidRow                a row does not fit the table that its domain declares
    ├── LogError                      the event log refused an operation and is unchanged
    │   ├── LogNotFound               [3] there is no log here yet
    │   ├── RunNotFound               [3] the log has no such run
    │   ├── SequenceConflict          the batch does not continue the run at its next sequence number
    │   │   └── WriterFenced          another writer took over the run; this one must stop
    │   ├── DuplicateEventId          the log already has an event with this id
    │   ├── RunBusy                   another conductor is alive and holds the run
    │   ├── LogIntegrityError         stored events differ from the ones that were written
    │   ├── RunFileError              an exported run is truncated, reordered, or no run file
    │   └── ImportRefused             a different run has this id, or an event has a secret or exceeds a limit
    ├── BlobError                     a blob cannot be stored or read
    │   ├── BlobMissing               [3] no blob is stored under this hash
    │   ├── BlobAltered               the stored bytes do not match their hash
    │   └── BlobTooLarge              the blob is above the size limit: split it
    ├── ConfigError                   [2] a wrong setting in mendel.toml, an environment variable or a flag
    ├── PluginError                   a plug-in cannot be used
    │   ├── UnknownPlugin             [2] no plug-in with this name is installed
    │   ├── BrokenPlugin              [4] the plug-in is installed, but does not load
    │   ├── PathsCollide              [4] two parts of a server claim the same path
    │   └── ServiceNotStarted         [4] a domain's service did not start, so the server does not listen
    ├── KernelError                   a run cannot be started, conducted or replayed
    │   ├── RunRefused                [2] invalid request, such as a cap above its ceiling; nothing was recorded
    │   │   └── NicheClaimed          an unfinished run already has the right to challenge in this niche
    │   ├── CommandNotPossible        the state of the run does not allow this command
    │   ├── IllegalTransition         this event cannot follow the events before it
    │   ├── DomainFailed              a domain's code raised, returned a wrong type, or timed out
    │   └── ReplayDiffers             a replay ends in another state than the recorded one
    ├── GuardError                    [2] the gate cannot judge; never a statement about a candidate
    │   ├── SpecFailed                code of the task raised, returned too little, or contradicts itself
    │   ├── NotShippable              the source of an implementation cannot be copied into the sandbox
    │   └── SamplesRefused            recorded samples are not fresh, finite values of one kind
    ├── BreedingError                 [2] the input cannot be varied
    │   └── SourceNotPython           the file does not parse, or is too large
    ├── FunctionError                 [2] the function cannot be bred
    │   ├── NoSuchFunction            the file has no function with this name
    │   ├── NoInputs                  no inputs for the function are known
    │   ├── OracleUnfit               the original raises, never returns, is random, or modifies its arguments
    │   └── TestsFail                 the user's tests fail on the original
    ├── FabricError                   the task fabric cannot execute a task
    │   ├── FabricClosed              the lane accepts no more tasks
    │   └── HandlerFailed             a handler reports that its operation failed
    │       ├── AllowanceSpent        the next action does not fit the rest of the allowance
    │       ├── PortNotNamed          the handler uses a port that its step does not declare
    │       ├── PortNotOpen           the handler uses a port that is not open in its worker
    │       └── ChildFailed           a child operation failed or was refused
    ├── ModelError                    a language model cannot be called, or gave no usable answer
    │   ├── ModelRequestRefused       [2] the request is invalid, such as tools for the wrong role
    │   ├── ModelCallFailed           every attempt failed; the error carries their records
    │   └── NoPrice                   [2] the price of a model is unknown, so no cap on cost could be enforced
    └── MachineryError                [4] the machine, not the input
        ├── DatabaseUnavailable       PostgreSQL is unreachable, or the connection was lost
        ├── DatabaseNotReady          PostgreSQL responds, but its schema, version or permissions are wrong
        ├── EmbeddedServerError       the embedded PostgreSQL does not start or stop
        ├── StorageError              a file system error, such as missing permission or a full disk
        └── SandboxError              the sandbox, never the program in it: a program's failure is an outcome
            ├── SandboxUnavailable    an isolation layer is missing, and weak sandboxes are not allowed
            ├── SandboxRefused        [2] a grant that is not allowed, or a request above a limit
            └── SandboxFailed         the sandbox broke while it worked
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from mendel.contracts.energy import Usage
from mendel.contracts.model_calls import AttemptRecord, FailureReason

EXIT_DONE = 0
EXIT_FAILED = 1  # also the verdict "reject" of the gate
EXIT_USAGE = 2
EXIT_NOTHING = 3  # also the verdict "undecided" of the gate
EXIT_MACHINERY = 4
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as in shells


class MendelError(Exception):
    """Root of the tree: the base class of every exception that Mendel raises on purpose."""

    code: ClassVar[str] = "mendel_error"
    exit_code: ClassVar[int] = EXIT_FAILED


def error_class(name: str) -> type[MendelError] | None:
    """Return the class with this name, to restore an error that another process sent by name; None if unknown."""
    return next((each for each in _tree(MendelError) if each.__name__ == name), None)


def _tree(root: type[MendelError]) -> Iterator[type[MendelError]]:
    yield root
    for each in root.__subclasses__():
        yield from _tree(each)


class ContractError(MendelError):
    """The input breaks a contract; nothing of it was stored."""

    code = "contract"


class UnknownEventType(ContractError):
    """The event type is not in the closed registry."""

    code = "unknown_event_type"


class InvalidPayload(ContractError):
    """A payload does not fit the model of its type."""

    code = "invalid_payload"


class PayloadTooDeep(ContractError):
    """A payload nests deeper than the limit."""

    code = "payload_too_deep"


class PayloadTooLarge(ContractError):
    """The canonical bytes of a payload exceed the size limit."""

    code = "payload_too_large"


class PayloadUnserialisable(ContractError):
    """A payload contains a value that JSON cannot represent without loss."""

    code = "payload_unserialisable"


class ForbiddenText(ContractError):
    """A string contains NUL or a lone surrogate, which some readers of the log cannot process."""

    code = "forbidden_text"


class SchemaTooNew(ContractError):
    """A newer version of Mendel wrote the event."""

    code = "schema_too_new"


class UnknownDomainPayload(ContractError):
    """No model is registered under this (domain, kind, version)."""

    code = "unknown_domain_payload"


class PayloadRegisteredTwice(ContractError):
    """Two models claim the same (domain, kind, version)."""

    code = "payload_registered_twice"


class InvalidRow(ContractError):
    """A row does not fit the table that its domain declares."""

    code = "invalid_row"


class LogError(MendelError):
    """The event log refused an operation; its contents are unchanged."""

    code = "log"


class LogNotFound(LogError):
    """There is no log at this place yet, and reading does not create one."""

    code = "log_not_found"
    exit_code = EXIT_NOTHING


class RunNotFound(LogError):
    """The log has no run with this id."""

    code = "run_not_found"
    exit_code = EXIT_NOTHING


class SequenceConflict(LogError):
    """The batch does not begin at the run's next sequence number."""

    code = "sequence_conflict"


class WriterFenced(SequenceConflict):
    """Another writer took over the run; this one can append nothing more."""

    code = "writer_fenced"


class DuplicateEventId(LogError):
    """The log already has an event with this id; ids are unique for ever."""

    code = "duplicate_event_id"


class RunBusy(LogError):
    """Another conductor is alive and holds the run."""

    code = "run_busy"


IntegrityReason = Literal[
    "gap",  # a sequence number is missing
    "out_of_order",
    "schema_too_new",
    "altered",  # an event does not match its hash
    "chain_broken",  # prev_hash is not the hash of the previous event
    "unreadable",
    "tail_cut",  # events that were seen before are missing at the end
    "blob_missing",
    "blob_altered",
]


class LogIntegrityError(LogError):
    """The stored events differ from the written ones; names the first bad row and its defect."""

    code = "log_integrity"

    def __init__(self, reason: IntegrityReason, sequence: int, detail: str) -> None:
        super().__init__(f"{reason} at sequence {sequence}: {detail}")
        self.reason: IntegrityReason = reason
        self.sequence = sequence
        self.detail = detail


class RunFileError(LogError):
    """An exported run is truncated, reordered, or not a run file."""

    code = "run_file"


class ImportRefused(LogError):
    """The log cannot import the file: a different run has its id, or an event has a secret or exceeds a limit."""

    code = "import_refused"


class BlobError(MendelError):
    """A blob cannot be stored or read."""

    code = "blob"


class BlobMissing(BlobError):
    """No blob is stored under this hash."""

    code = "blob_missing"
    exit_code = EXIT_NOTHING


class BlobAltered(BlobError):
    """The stored bytes do not match the hash that they are stored under."""

    code = "blob_altered"


class BlobTooLarge(BlobError):
    """The blob is above the store's size limit."""

    code = "blob_too_large"


class ConfigError(MendelError):
    """A setting is wrong; the message names its source, its key and the expected value."""

    code = "config"
    exit_code = EXIT_USAGE


class PluginError(MendelError):
    """A plug-in cannot be used."""

    code = "plugin"


class UnknownPlugin(PluginError):
    """No plug-in with this name is installed; the message lists the installed ones."""

    code = "unknown_plugin"
    exit_code = EXIT_USAGE


class BrokenPlugin(PluginError):
    """A plug-in is installed, but cannot be loaded."""

    code = "broken_plugin"
    exit_code = EXIT_MACHINERY


class PathsCollide(PluginError):
    """Two parts of a server claim the same path."""

    code = "paths_collide"
    exit_code = EXIT_MACHINERY


class ServiceNotStarted(PluginError):
    """A domain's service did not start, so the server does not listen; the message says why."""

    code = "service_not_started"
    exit_code = EXIT_MACHINERY


class KernelError(MendelError):
    """A run cannot be started, conducted or replayed."""

    code = "kernel"


class RunRefused(KernelError):
    """The run does not start, and nothing of it was recorded."""

    code = "run_refused"
    exit_code = EXIT_USAGE


class NicheClaimed(RunRefused):
    """An unfinished run already claims the niche: only one run at a time may challenge in it (rule 10)."""

    code = "niche_claimed"


class CommandNotPossible(KernelError):
    """The state of the run does not allow this command."""

    code = "command_not_possible"


class IllegalTransition(KernelError):
    """The event cannot follow the events before it in the log."""

    code = "illegal_transition"


class DomainFailed(KernelError):
    """A domain's own code raised, returned a value of the wrong type, or timed out."""

    code = "domain_failed"


class ReplayDiffers(KernelError):
    """A replay of the log ends in another state than the run recorded."""

    code = "replay_differs"


class GuardError(MendelError):
    """The gate cannot judge. A candidate's behaviour never raises this: it leads to a verdict."""

    code = "guard"
    exit_code = EXIT_USAGE


class SpecFailed(GuardError):
    """A task's generator, relation, metric or equivalence raised, returned too little, or contradicts itself."""

    code = "spec_failed"


class NotShippable(GuardError):
    """The source of an implementation cannot be copied into the sandbox; the message names the obstacle."""

    code = "not_shippable"


class SamplesRefused(GuardError):
    """Recorded samples cannot be judged: an earlier challenge saw a case, or a value is of the wrong kind."""

    code = "samples_refused"


class BreedingError(MendelError):
    """The input cannot be varied."""

    code = "breeding"
    exit_code = EXIT_USAGE


class SourceNotPython(BreedingError):
    """A file does not parse, or is too large; the message names the place."""

    code = "source_not_python"


class FunctionError(MendelError):
    """A function cannot be bred as requested."""

    code = "function"
    exit_code = EXIT_USAGE


class NoSuchFunction(FunctionError):
    """The file has no function with this name; the message suggests similar ones."""

    code = "no_such_function"


class NoInputs(FunctionError):
    """No inputs for the function are known; the message says how to provide them."""

    code = "no_inputs"


class OracleUnfit(FunctionError):
    """The original cannot serve as oracle: it raises, never returns, is random, or modifies its arguments."""

    code = "oracle_unfit"


class TestsFail(FunctionError):
    """The user's own tests fail on the original, so they cannot screen candidates."""

    __test__ = False  # pytest would collect the class by its name
    code = "tests_fail"


class FabricError(MendelError):
    """The task fabric cannot execute a task."""

    code = "fabric"


class FabricClosed(FabricError):
    """The lane is draining or closed, and accepts no more tasks."""

    code = "fabric_closed"


class HandlerFailed(FabricError):
    """A handler reports that its operation failed, with a stable code as ``reason`` and its ``usage`` until then.

    Without a ``usage`` the failure is charged at the operation's worst case (rule 1).
    """

    code = "handler_failed"

    def __init__(self, reason: str, message: str, *, usage: Usage | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.reason = reason
        self.usage = usage
        self.attempts = attempts


class AllowanceSpent(HandlerFailed):
    """The next action of a handler does not fit its operation's allowance; the action was not started."""

    code = "allowance_spent"

    def __init__(self, message: str) -> None:
        super().__init__("over_allowance", message)


class PortNotNamed(HandlerFailed):
    """A handler uses a port that its step does not declare."""

    code = "port_not_named"

    def __init__(self, message: str) -> None:
        super().__init__("port_not_named", message)


class PortNotOpen(HandlerFailed):
    """A handler uses a port that is not open in its worker."""

    code = "port_not_open"

    def __init__(self, message: str) -> None:
        super().__init__("port_not_open", message)


class ChildFailed(HandlerFailed):
    """A child operation failed, for the reason given, or was refused."""

    code = "child_failed"


class ModelError(MendelError):
    """A language model cannot be called, or gave no usable answer."""

    code = "model"


class ModelRequestRefused(ModelError):
    """The request to a model is invalid."""

    code = "model_request_refused"
    exit_code = EXIT_USAGE


class ModelCallFailed(ModelError):
    """Every attempt to call a model failed; ``reason`` is a stable code, ``records`` lists the attempts."""

    code = "model_call_failed"

    def __init__(self, reason: FailureReason, message: str, records: tuple[AttemptRecord, ...] = ()) -> None:
        super().__init__(message)
        self.reason: FailureReason = reason
        self.records = records


class NoPrice(ModelError):
    """The price of a model is unknown, so a cap on cost could not be enforced."""

    code = "no_price"
    exit_code = EXIT_USAGE


class MachineryError(MendelError):
    """The machine is at fault, not the input: a server, a disk, a missing component."""

    code = "machinery"
    exit_code = EXIT_MACHINERY


class DatabaseUnavailable(MachineryError):
    """PostgreSQL is unreachable, or the connection was lost."""

    code = "database_unavailable"


class DatabaseNotReady(MachineryError):
    """PostgreSQL responds, but its schema, its version or this role's permissions do not suffice."""

    code = "database_not_ready"


class EmbeddedServerError(MachineryError):
    """The embedded PostgreSQL does not start or stop."""

    code = "embedded_server"


class StorageError(MachineryError):
    """A file or folder cannot be read or written."""

    code = "storage"


class SandboxError(MachineryError):
    """The sandbox failed, not the program in it: a program's failure is an outcome, never an error."""

    code = "sandbox"


class SandboxUnavailable(SandboxError):
    """Isolation layers are missing on this machine; the message names each one and its remedy."""

    code = "sandbox_unavailable"


class SandboxRefused(SandboxError):
    """The sandbox does not allow this request, or cannot fulfil it."""

    code = "sandbox_refused"
    exit_code = EXIT_USAGE


class SandboxFailed(SandboxError):
    """The sandbox broke while it worked; this says nothing about the program."""

    code = "sandbox_failed"
