"""What the launch forms of domains share, and what stands in for a domain that has none."""
