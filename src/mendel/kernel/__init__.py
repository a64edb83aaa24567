"""Fold, decide, perform; caps, energy, resume, replay."""
