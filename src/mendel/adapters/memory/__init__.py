"""First-class in-memory adapters: complete, and the reference for the others."""
