"""Rewrites that make programs faster if they are lucky: one family a file, each offered only where its pattern is."""
