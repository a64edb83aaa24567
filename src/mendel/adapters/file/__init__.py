"""Adapters that use plain files: a run is one file that can be mailed."""
