"""What this machine can do: the probes behind `mendel doctor`."""
