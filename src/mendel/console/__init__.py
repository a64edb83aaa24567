"""Common base of all commands, including those of domains: the session, shared options, tables, git."""
