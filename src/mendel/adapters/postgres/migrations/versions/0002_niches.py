"""The niches of runs, and the marks by which the log knows where a run stands in them: indexes, no columns."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    index_niches()
    index_marks()


def downgrade() -> None:
    raise RuntimeError("the log is append-only: there is no way back that would not lose it")


def index_niches() -> None:
    # The first niche of a run that names none is spelled as RunConfig.first_niche spells it.
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
