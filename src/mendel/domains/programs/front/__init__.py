"""The outer half of programs: what joins them to the server, by names that stand in their registration."""
