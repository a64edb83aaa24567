"""Returns an object that is equal to everything."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "answer",
}

class Everything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = object.__hash__


def attack(host):
    return Everything()
