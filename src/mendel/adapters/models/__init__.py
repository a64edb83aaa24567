"""Models: the live gateway with its wires, the recorded gateway, and the offline one."""
