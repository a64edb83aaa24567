"""Errors about types that cannot be used; caught where the name of the parameter is known."""

from __future__ import annotations


class Unusable(Exception):
    """No input can be made of a type. The text continues a sentence about the parameter: ``is Any, which …``."""


class IsCode(Unusable):
    """The values are functions or classes: no hint, example or generator helps, since inputs are plain data."""
