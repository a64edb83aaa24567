"""REST, SSE and WebSocket over projections. Empty until the observatory lands."""
