"""Returns a list that holds itself."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the depth of results"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "crossed",
    "more_than": 500,
}

def attack(host):
    value = []
    value.append(value)
    return value
