"""Tools and the repair lab. Empty until tools land."""
