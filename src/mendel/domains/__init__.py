"""What is bred. Domains are strangers to each other."""
