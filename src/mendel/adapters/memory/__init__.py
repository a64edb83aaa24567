"""In-memory adapters: complete, and the reference for the other implementations."""
