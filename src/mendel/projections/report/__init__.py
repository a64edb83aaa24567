"""What a run that breeds comes to, whatever it breeds: a read model that domains put their rows into, and its page."""
