"""Hashed character n-grams: the embedded default for embeddings."""
