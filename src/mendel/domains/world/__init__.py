"""A living world. Empty until the world lands."""
