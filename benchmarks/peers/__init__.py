"""Programs that run in a peer's throw-away environment; they import nothing of Mendel."""
