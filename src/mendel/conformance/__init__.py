"""One contract suite per port, shipped with Mendel: override a fixture, inherit every test."""
