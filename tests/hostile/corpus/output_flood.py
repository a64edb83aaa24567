"""Prints for as long as anybody reads."""

ATTACK = {
    "family": "output",
    "stopped_by": ["the size of the output area"],
    "expect": ["value", "exception"],
    "proof": "flooded",
    "more_than": 100_000,
    "lift_limits": {"output_bytes": 1_000_000},
}

def attack(host):
    for _ in range(3000):
        print("x" * 1000)
