"""Rewrites that may make programs faster: one family per file, each offered only where its pattern occurs."""
