"""Breeds programs and other judged things, logs every event, and adopts only through a statistical gate."""

__version__ = "0.1.0"
