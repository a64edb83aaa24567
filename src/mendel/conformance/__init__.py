"""One shipped contract suite per port: override a fixture, inherit every test."""
