"""Who becomes a parent and what a fitness weighs. Never called in ``fold``: its choices stand in the markers."""
