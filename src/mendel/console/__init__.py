"""What commands stand on, the house's and those of domains: the session of one invocation, shared options, git."""
