"""The native backend of the sandbox port, which runs untrusted code."""
