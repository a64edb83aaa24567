"""Returns a value so deep that whoever walks it by recursion falls over."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the depth of results"],
    "lift": ["harness"],
    "expect": ["violation", "killed"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

def attack(host):
    value = []
    for _ in range(1_000_000):
        value = [value]
    return value
