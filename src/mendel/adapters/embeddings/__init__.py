"""Embedders that capture meaning: a provider's model, a local sentence model, and recorded vectors of either."""
