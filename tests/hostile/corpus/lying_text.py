"""Returns a string of a class of its own, with its own idea of equality."""

ATTACK = {
    "family": "lies",
    "stopped_by": ["the codec's exact types"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "answer",
}

class Text(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return str.__hash__(self)


def attack(host):
    return Text("anything")
