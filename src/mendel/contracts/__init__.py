"""Frozen events, ids, values and the error tree. Imports nothing of ours."""
