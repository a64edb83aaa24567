"""Models: the live gateway with its wires, the recorded one, and the one that works offline."""
