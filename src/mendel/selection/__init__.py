"""Parent selectors, archives, novelty, scoring policies. Empty until programs land."""
