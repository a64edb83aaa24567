"""Variation and fault localisation for every domain. Empty until programs land."""
