"""Returns a number that is every number."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "answer",
}

class Any(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __sub__(self, other):
        return 0

    __rsub__ = __sub__
    __hash__ = int.__hash__


def attack(host):
    return Any(7)
