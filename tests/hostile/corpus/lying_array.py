"""Pretends to be an array that compares equal everywhere."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation", "exception"],
    "proof": "answer",
}

class ndarray:
    dtype = "int64"
    shape = ()

    def __array__(self, *_):
        return self

    def __eq__(self, other):
        return True

    def tobytes(self):
        return b""

    __hash__ = None


ndarray.__module__ = "numpy"


def attack(host):
    return ndarray()
