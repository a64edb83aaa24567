"""Why a type cannot be used; caught where the parameter that has it is known."""

from __future__ import annotations


class Unusable(Exception):
    """No input can be made of a type. The text goes on after the parameter's name: ``is Any, which …``."""


class IsCode(Unusable):
    """Its values are functions or classes: no hint, example or generator helps, since inputs are plain data."""
