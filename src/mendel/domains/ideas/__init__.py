"""Ideas, critics and the held-out judge. Empty until ideas land."""
