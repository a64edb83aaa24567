"""Raises an error whose class, message and traceback raise errors themselves."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["exception", "killed", "violation"],
    "proof": "harness",
}

class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit("no name")


class Broken(BaseException, metaclass=Meta):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


def attack(host):
    raise Broken
