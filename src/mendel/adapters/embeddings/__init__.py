"""Embedders that know more than letters: a provider's model, a local sentence model, and what was recorded of them."""
