"""Mendel breeds what can be judged, writes every cross down, and lets nothing out but through a gate."""

__version__ = "0.1.0"
