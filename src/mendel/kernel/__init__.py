"""Fold, decide, perform; caps, energy, resume, replay. Empty until the kernel lands."""
