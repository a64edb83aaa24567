"""What is shipped as text into the sandbox and runs there: standard library only, and each other."""
