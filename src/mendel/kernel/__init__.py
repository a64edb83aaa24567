"""The kernel: fold, decide and perform; caps and energy; resume and replay."""
