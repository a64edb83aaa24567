"""Metrics based on prometheus-client."""
