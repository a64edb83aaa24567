"""Alembic migrations; they run as the owner role, never as the runtime role."""
