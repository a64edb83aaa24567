"""Thin commands over wiring."""
