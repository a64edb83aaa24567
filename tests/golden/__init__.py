"""Runs that were recorded once and are replayed for ever."""
