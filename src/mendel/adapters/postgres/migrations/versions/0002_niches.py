"""Indexes for the niches of runs, and for the events that mark a run's state in them; no new columns."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    index_niches()
    index_marks()


def downgrade() -> None:
    raise RuntimeError("the log is append-only: a downgrade would lose it")


def index_niches() -> None:
    # The default niche of a run must match RunConfig.first_niche.
    op.execute("""
        CREATE FUNCTION mendel.niches_of(payload text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
            SELECT array_prepend(
                coalesce(config ->> 'niche', left((config ->> 'domain') || ':' || (config ->> 'problem'), 300)),
                ARRAY(
                    SELECT each ->> 'niche' FROM json_array_elements(coalesce(config -> 'niches', '[]'::json)) AS each
                )
            )
            FROM (SELECT payload::json -> 'config' AS config) AS configured
        $$""")
    op.execute("""
        CREATE INDEX run_events_niches ON mendel.run_events USING gin (mendel.niches_of(payload))
        WHERE type = 'run.configured'""")


def index_marks() -> None:
    op.execute("""
        CREATE INDEX run_events_marks ON mendel.run_events (run_id, sequence)
        WHERE type IN ('adoption.made', 'adoption.revoked')
           OR (type = 'operation.started' AND position('"challenge":{' IN payload) > 0)""")
