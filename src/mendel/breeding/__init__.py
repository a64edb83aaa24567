"""Variation and fault localisation, shared by all domains."""
