"""Immutable events, ids, values and the error tree. Imports no other room of Mendel."""
