"""Hashed character n-grams: the built-in default for embeddings."""
