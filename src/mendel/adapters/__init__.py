"""Implementations of ports. They see ports and contracts, and only wiring sees them."""
