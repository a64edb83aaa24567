"""Returns a list within a list within a list."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the depth of results"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "crossed",
    "limits": {"case_s": 5.0},
    "more_than": 500,
}

def attack(host):
    value = []
    for _ in range(600):
        value = [value]
    return value
