"""Where the inputs of a function come from: its type hints, its examples, its tests; read from the text, never run.

A plan (``plan``) says what a function is called with. It is made from annotations (``annotations``) or from example
calls (``doctests``, ``calls``, ``inference``), is recorded in the log, and draws the same inputs in every process.
Breeding sees one mixture of them and the gate another (``mixtures``).
"""
