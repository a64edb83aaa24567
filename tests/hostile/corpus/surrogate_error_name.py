"""Raises an error whose class gives itself a name that cannot be written."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["what is said is made printable"],
    "lift": ["harness"],
    "expect": ["exception", "killed"],
    "proof": "unspeakable",
}

class Meta(type):
    @property
    def __name__(cls):
        return "Broken\udcff"


class Broken(Exception, metaclass=Meta):
    pass


def attack(host):
    raise Broken("x")
