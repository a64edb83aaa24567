"""The report of a run of any domain: a read model with rows that the domain contributes, and its page."""
