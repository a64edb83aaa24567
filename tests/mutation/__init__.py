"""Whether the tests of a room notice when its code is changed: `make mutants ROOM=guard`."""
