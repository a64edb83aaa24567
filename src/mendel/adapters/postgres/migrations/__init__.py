"""Alembic migrations; run as the owner, never as the runtime."""
