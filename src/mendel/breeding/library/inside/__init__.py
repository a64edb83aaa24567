"""Modules shipped as text into the sandbox to run there; they may import only the standard library and each other."""
