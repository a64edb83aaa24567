"""Returns a number of sixty million digits."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the size of results"],
    "expect": ["violation", "memory"],
    "proof": "crossed",
    "limits": {"case_s": 5.0},
    "more_than": 200_000_000,
    "lift_limits": {"result_bytes": 60_000_000, "memory_bytes": 1_000_000_000, "case_s": 10.0},
}

def attack(host):
    return 1 << 200_000_001
