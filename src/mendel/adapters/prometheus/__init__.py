"""Metrics kept by prometheus-client."""
