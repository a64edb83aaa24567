"""Programs: a better function, with proof. Empty until programs land."""
