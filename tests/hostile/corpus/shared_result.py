"""Returns few objects that hold each other so often that written out they are a billion."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the size of results"],
    "expect": ["violation", "timeout", "memory"],
    "proof": "crossed",
    "more_than": 1_000_000,
    "never_lifted": "a billion values fit into no limit; it is here for the time and memory it would take",
}

def attack(host):
    value = [0]
    for _ in range(30):
        value = [value, value]
    return value
