"""Inputs of a function, from its type hints, examples and tests; all of these are read as text and never run.

A plan (``plan``) describes the arguments of a function. It is made from annotations (``annotations``) or from example
calls (``doctests``, ``calls``, ``inference``), is recorded in the log, and draws the same inputs in every process.
Breeding gets one mixture of them and the gate another (``mixtures``).
"""
