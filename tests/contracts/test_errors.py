import inspect
import re
from typing import get_args

from tests.support.rows import check_rows

from mendel.contracts import errors
from mendel.contracts.errors import IntegrityReason, LogIntegrityError, MendelError
from mendel.contracts.log_views import Problem

# Machines and scripts rely on these: a line may be added, none may be changed.
CODES = {
    "MendelError": ("mendel_error", 1),
    "ContractError": ("contract", 1),
    "UnknownEventType": ("unknown_event_type", 1),
    "InvalidPayload": ("invalid_payload", 1),
    "PayloadTooDeep": ("payload_too_deep", 1),
    "PayloadTooLarge": ("payload_too_large", 1),
    "PayloadUnserialisable": ("payload_unserialisable", 1),
    "ForbiddenText": ("forbidden_text", 1),
    "SchemaTooNew": ("schema_too_new", 1),
    "UnknownDomainPayload": ("unknown_domain_payload", 1),
    "PayloadRegisteredTwice": ("payload_registered_twice", 1),
    "LogError": ("log", 1),
    "LogNotFound": ("log_not_found", 3),
    "RunNotFound": ("run_not_found", 3),
    "SequenceConflict": ("sequence_conflict", 1),
    "WriterFenced": ("writer_fenced", 1),
    "DuplicateEventId": ("duplicate_event_id", 1),
    "RunBusy": ("run_busy", 1),
    "LogIntegrityError": ("log_integrity", 1),
    "RunFileError": ("run_file", 1),
    "ImportRefused": ("import_refused", 1),
    "BlobError": ("blob", 1),
    "BlobMissing": ("blob_missing", 3),
    "BlobAltered": ("blob_altered", 1),
    "BlobTooLarge": ("blob_too_large", 1),
    "ConfigError": ("config", 2),
    "PluginError": ("plugin", 1),
    "UnknownPlugin": ("unknown_plugin", 2),
    "InvalidRow": ("invalid_row", 1),
    "BrokenPlugin": ("broken_plugin", 4),
    "PathsCollide": ("paths_collide", 4),
    "ServiceNotStarted": ("service_not_started", 4),
    "MachineryError": ("machinery", 4),
    "DatabaseUnavailable": ("database_unavailable", 4),
    "DatabaseNotReady": ("database_not_ready", 4),
    "EmbeddedServerError": ("embedded_server", 4),
    "SandboxError": ("sandbox", 4),
    "SandboxUnavailable": ("sandbox_unavailable", 4),
    "SandboxRefused": ("sandbox_refused", 2),
    "SandboxFailed": ("sandbox_failed", 4),
    "StorageError": ("storage", 4),
    "KernelError": ("kernel", 1),
    "RunRefused": ("run_refused", 2),
    "NicheClaimed": ("niche_claimed", 2),
    "CommandNotPossible": ("command_not_possible", 1),
    "IllegalTransition": ("illegal_transition", 1),
    "DomainFailed": ("domain_failed", 1),
    "ReplayDiffers": ("replay_differs", 1),
    "GuardError": ("guard", 2),
    "SpecFailed": ("spec_failed", 2),
    "BreedingError": ("breeding", 2),
    "SourceNotPython": ("source_not_python", 2),
    "FunctionError": ("function", 2),
    "NoSuchFunction": ("no_such_function", 2),
    "NoInputs": ("no_inputs", 2),
    "OracleUnfit": ("oracle_unfit", 2),
    "TestsFail": ("tests_fail", 2),
    "NotShippable": ("not_shippable", 2),
    "SamplesRefused": ("samples_refused", 2),
    "FabricError": ("fabric", 1),
    "FabricClosed": ("fabric_closed", 1),
    "HandlerFailed": ("handler_failed", 1),
    "AllowanceSpent": ("allowance_spent", 1),
    "PortNotNamed": ("port_not_named", 1),
    "PortNotOpen": ("port_not_open", 1),
    "ChildFailed": ("child_failed", 1),
    "ModelError": ("model", 1),
    "ModelRequestRefused": ("model_request_refused", 2),
    "ModelCallFailed": ("model_call_failed", 1),
    "NoPrice": ("no_price", 2),
}

ALL = {name: kind for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, MendelError)}


def drawn_tree() -> dict[str, str | None]:
    """Class to parent, as the docstring draws it."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in errors.__doc__.splitlines():
        found = re.fullmatch(r"    ((?:│   |    )*)(├── |└── )?([A-Z]\w+)(?: {2,}\S.*)?", line)
        if found is None:
            continue
        depth = len(found[1]) // 4 + (1 if found[2] else 0)
        del path[depth:]
        parents[found[3]] = path[-1] if path else None
        path.append(found[3])
    return parents


def test_the_tree_that_is_drawn_is_the_tree_there_is():
    real = {name: kind.__base__.__name__ if kind is not MendelError else None for name, kind in ALL.items()}
    assert drawn_tree() == real


def test_siblings_are_drawn_in_the_order_in_which_they_are_defined():
    assert sorted(drawn_tree(), key=list(ALL).index) == list(drawn_tree())


def test_codes_and_exit_codes_are_stable():
    assert {name: (kind.code, kind.exit_code) for name, kind in ALL.items()} == CODES


def test_codes_are_unique_and_spelled_like_names():
    codes = [kind.code for kind in ALL.values()]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z][a-z_]*", code) for code in codes)


def test_exit_codes_are_the_five():
    exits = (errors.EXIT_DONE, errors.EXIT_FAILED, errors.EXIT_USAGE, errors.EXIT_NOTHING, errors.EXIT_MACHINERY)
    assert exits == (0, 1, 2, 3, 4)
    assert {kind.exit_code for kind in ALL.values()} <= {1, 2, 3, 4}


@check_rows("kind", ALL.values())
def test_every_error_says_when_it_is_raised(kind):
    assert kind.__doc__
    assert "code" in vars(kind), "a code of its own, not its parent's"


@check_rows("reason", get_args(IntegrityReason))
def test_an_integrity_error_names_reason_place_and_detail(reason):
    error = LogIntegrityError(reason, 7, "because")
    assert str(error) == f"{reason} at sequence 7: because"
    assert (error.reason, error.sequence, error.detail) == (reason, 7, "because")
    assert Problem(reason=reason, sequence=7, detail="because").reason == reason
