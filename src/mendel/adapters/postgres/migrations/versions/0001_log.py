from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = ("run_events", "run_commands", "blobs")


def upgrade() -> None:
    create_run_events()
    create_run_commands()
    create_blobs()
    forbid_changes()
    grant()
    create_projections()


def downgrade() -> None:
    raise RuntimeError("the log is append-only: a downgrade would lose it")


def create_run_events() -> None:
    op.execute("""
        CREATE TABLE mendel.run_events (
            run_id uuid NOT NULL,
            sequence bigint NOT NULL CHECK (sequence >= 0),
            event_id uuid NOT NULL,
            type text NOT NULL,
            schema_version integer NOT NULL,
            occurred_at timestamptz NOT NULL,
            actor text NOT NULL,
            generation_id text,
            genome_id text,
            candidate_id text,
            operation_id text,
            correlation_id text,
            trace_id text,
            observation_id text,
            payload text NOT NULL,
            prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
            hash bytea NOT NULL CHECK (length(hash) = 32),
            CONSTRAINT run_events_place PRIMARY KEY (run_id, sequence),
            CONSTRAINT run_events_id UNIQUE (event_id)
        )""")
    op.execute("""
        CREATE INDEX run_events_milestones ON mendel.run_events (run_id, sequence)
        WHERE type IN ('run.configured', 'run.started', 'run.completing', 'run.completed', 'run.stopping',
                       'run.stopped', 'run.failed', 'run.cancelled')""")
    op.execute("COMMENT ON COLUMN mendel.run_events.payload IS 'canonical JSON, byte for byte what was hashed'")


def create_run_commands() -> None:
    op.execute("""
        CREATE TABLE mendel.run_commands (
            run_id uuid NOT NULL,
            position bigint NOT NULL CHECK (position >= 1),
            command_id uuid NOT NULL,
            kind text NOT NULL,
            actor text NOT NULL,
            payload text NOT NULL,
            issued_at timestamptz NOT NULL,
            CONSTRAINT run_commands_place PRIMARY KEY (run_id, position),
            CONSTRAINT run_commands_id UNIQUE (command_id)
        )""")


def create_blobs() -> None:
    op.execute("""
        CREATE TABLE mendel.blobs (
            hash text NOT NULL PRIMARY KEY CHECK (hash LIKE 'sha256:%'),
            data bytea NOT NULL,
            stored_at timestamptz NOT NULL DEFAULT now()
        )""")


def forbid_changes() -> None:
    op.execute("""
        CREATE FUNCTION mendel.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '% on %.% is refused: the log is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END $$""")
    for table in TABLES:
        op.execute(f"""
            CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON mendel.{table}
            FOR EACH STATEMENT EXECUTE FUNCTION mendel.refuse_change()""")
        # ALWAYS: an ordinary trigger does not fire under session_replication_role = replica.
        op.execute(f"ALTER TABLE mendel.{table} ENABLE ALWAYS TRIGGER append_only")


def grant() -> None:
    op.execute("GRANT USAGE ON SCHEMA mendel TO mendel_runtime, mendel_projector")
    op.execute("GRANT SELECT ON mendel.alembic_version TO mendel_runtime")
    for table in TABLES:
        op.execute(f"GRANT INSERT, SELECT ON mendel.{table} TO mendel_runtime")
        op.execute(f"GRANT SELECT ON mendel.{table} TO mendel_projector")


def create_projections() -> None:
    op.execute("CREATE SCHEMA mendel_projections AUTHORIZATION mendel_projector")
    op.execute("COMMENT ON SCHEMA mendel_projections IS 'read models: may be dropped and rebuilt from the log'")
