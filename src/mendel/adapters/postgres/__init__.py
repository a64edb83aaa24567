"""Adapters on PostgreSQL, and the embedded server."""
