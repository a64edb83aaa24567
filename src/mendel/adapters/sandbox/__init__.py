"""Where untrusted code runs: the native backend of the sandbox port."""
