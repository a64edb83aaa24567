"""Roles and migrations: everything that does not run as the runtime role."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from mendel.adapters.postgres.database import first_line, parse_address
from mendel.adapters.postgres.roles import OWNER_ROLE, PROJECTOR_ROLE, RUNTIME_ROLE
from mendel.contracts.errors import DatabaseNotReady, DatabaseUnavailable

REVISION: Final = "0002"
"""The newest migration; a test keeps it equal to Alembic's head."""

MINIMUM_SERVER: Final = 140000  # PostgreSQL 14
MIGRATIONS: Final = Path(__file__).parent / "migrations"

_MIGRATION_LOCK: Final = 0x4D454E44  # "MEND"


def is_ready(conninfo: str) -> bool:
    """Whether the schema exists and is up to date; changes nothing.

    Raises:
        DatabaseUnavailable: the server cannot be reached.
        DatabaseNotReady: the schema exists, but this user may not read it.
        ConfigError: ``conninfo`` is not an address.
    """
    parse_address(conninfo)
    try:
        with psycopg.connect(conninfo, autocommit=True, connect_timeout=10) as conn:
            return _revision(conn) == REVISION
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseNotReady(f"the database user may not read Mendel's schema: {first_line(error)}") from error
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"PostgreSQL cannot be reached: {first_line(error)}") from error


def prepare(admin_conninfo: str, *, may_log_in: bool = False) -> bool:
    """Bring roles and schema up to date; return whether anything was changed.

    Connects as the user in ``admin_conninfo``, which must own the schema or be able to create roles. ``may_log_in``
    creates roles with LOGIN; only for the embedded server, whose socket is private.

    Raises:
        DatabaseUnavailable: the server cannot be reached.
        DatabaseNotReady: the server is too old, or the user lacks privileges.
    """
    parse_address(admin_conninfo)
    try:
        with psycopg.connect(admin_conninfo, autocommit=True, connect_timeout=10) as conn:
            _require_version(conn)
            _refuse_newer(conn)
            if _revision(conn) == REVISION and not _missing_roles(conn):
                return False
            conn.execute("SELECT pg_advisory_lock(%s)", (_MIGRATION_LOCK,))  # another process may be migrating
            _create_roles(conn, may_log_in=may_log_in)
            _grant_to_owner(conn)
            if _revision(conn) != REVISION:
                _migrate(admin_conninfo)
            return True
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseNotReady(
            f"the database user may not set Mendel up ({first_line(error)}); run `mendel db up` once with "
            "MENDEL_DATABASE_OWNER_URL naming a user that may create roles and schemas"
        ) from error
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"PostgreSQL cannot be reached: {first_line(error)}") from error


def _require_version(conn: Connection[TupleRow]) -> None:
    version = conn.info.server_version
    if version < MINIMUM_SERVER:
        raise DatabaseNotReady(f"PostgreSQL {version // 10000} is too old; Mendel needs {MINIMUM_SERVER // 10000}")


def _refuse_newer(conn: Connection[TupleRow]) -> None:
    revision = _revision(conn)
    if revision is not None and revision > REVISION:
        raise DatabaseNotReady(
            f"a newer Mendel migrated this database to {revision}; this one supports {REVISION}: upgrade Mendel"
        )


def _revision(conn: Connection[TupleRow]) -> str | None:
    found = conn.execute("SELECT to_regclass('mendel.alembic_version') IS NOT NULL").fetchone()
    if found is None or not found[0]:
        return None
    row = conn.execute("SELECT version_num FROM mendel.alembic_version").fetchone()
    return str(row[0]) if row else None


def _missing_roles(conn: Connection[TupleRow]) -> list[str]:
    rows = conn.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'mendel_%'").fetchall()
    known = {row[0] for row in rows}
    return [role for role in (OWNER_ROLE, RUNTIME_ROLE, PROJECTOR_ROLE) if role not in known]


def _create_roles(conn: Connection[TupleRow], *, may_log_in: bool) -> None:
    statement = sql.SQL("CREATE ROLE {} LOGIN" if may_log_in else "CREATE ROLE {} NOLOGIN")
    for role in _missing_roles(conn):
        try:
            conn.execute(statement.format(sql.Identifier(role)))
        except psycopg.errors.DuplicateObject:
            continue  # created concurrently: roles are shared by all databases of a server


def _grant_to_owner(conn: Connection[TupleRow]) -> None:
    database = sql.Identifier(conn.info.dbname)
    owner, projector = sql.Identifier(OWNER_ROLE), sql.Identifier(PROJECTOR_ROLE)
    conn.execute(sql.SQL("GRANT CREATE, CONNECT ON DATABASE {} TO {}").format(database, owner))
    conn.execute(sql.SQL("GRANT {} TO {}").format(projector, owner))
    _join(conn, OWNER_ROLE)
    _join(conn, RUNTIME_ROLE)


def _join(conn: Connection[TupleRow], role: str) -> None:
    """Let the administrator act as ``role``: superusers can already, others must become members."""
    member = conn.execute("SELECT pg_has_role(current_user, %s, 'MEMBER')", (role,)).fetchone()
    if member is None or not member[0]:
        conn.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role)))


def _migrate(admin_conninfo: str) -> None:
    """Run Alembic; imported here because importing SQLAlchemy takes longer than most commands run."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connect"] = lambda: psycopg.connect(
        admin_conninfo, options=f"{conninfo_to_dict(admin_conninfo).get('options') or ''} -c role={OWNER_ROLE}"
    )
    command.upgrade(config, "head")
