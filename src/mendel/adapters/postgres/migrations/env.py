"""Alembic's environment: connects as `schema.prepare` configured, with the version table in our schema."""

from alembic import context
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

engine = create_engine("postgresql+psycopg://", creator=context.config.attributes["connect"], poolclass=NullPool)

with engine.begin() as connection:
    connection.execute(text("CREATE SCHEMA IF NOT EXISTS mendel"))
    context.configure(connection=connection, version_table_schema="mendel")
    context.run_migrations()
