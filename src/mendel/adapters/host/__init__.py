"""The capabilities of this machine: the probes behind `mendel doctor`."""
