"""Type-directed use of the standard library: replace blocks of a program by expressions with the observed behaviour."""
