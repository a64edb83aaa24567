"""Implementations of ports. They import ports and contracts; only wiring imports them."""
