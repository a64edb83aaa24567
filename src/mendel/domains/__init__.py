"""The domains: what Mendel breeds. They do not import each other."""
