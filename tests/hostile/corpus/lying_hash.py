"""Hides the lie in a container: a tuple's element answers for it."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "answer",
}

class Member:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(1)


class Bag(tuple):
    def __eq__(self, other):
        return self[0] == other

    __hash__ = tuple.__hash__


def attack(host):
    return Bag((Member(), Member()))
