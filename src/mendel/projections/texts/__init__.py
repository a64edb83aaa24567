"""Runs of texts, told as runs of programs are."""
