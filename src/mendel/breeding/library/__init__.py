"""Type-directed use of the standard library: callables that behave as was observed are tried where their types fit."""
