"""Adapters on plain files: a run is a file one can mail."""
