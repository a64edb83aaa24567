"""Returns an object that says it is an int, and is equal to all of them."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "answer",
}

class Pretender:
    @property
    def __class__(self):
        return int

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def attack(host):
    return Pretender()
