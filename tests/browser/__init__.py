"""The page in a real browser, against a real server, a real database and real runs."""
