"""Programs: better versions of a function, with proof."""
