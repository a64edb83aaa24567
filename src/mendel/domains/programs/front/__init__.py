"""The outer half of programs, for server and command line; their registration refers to it by names."""
