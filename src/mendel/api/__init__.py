"""The HTTP API of the observatory: REST, server-sent events and WebSockets over projections."""
