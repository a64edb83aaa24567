"""The outer half of texts: what joins them to the server, by names that stand in their registration."""
