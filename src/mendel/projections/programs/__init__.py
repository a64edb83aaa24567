"""What a run of programs comes to: a read model, and the files that a user gets of it."""
