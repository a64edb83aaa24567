"""Benchmarks: figures that are ratios to a peer or a bound, measured in the same run. See ``docs/benchmarks.md``."""
