"""The outer half of texts, for server and command line; their registration refers to it by names."""
