"""Adapters for PostgreSQL, and the embedded server."""
