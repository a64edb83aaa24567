"""Appends to a file of the host that everybody may write to."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "marker",
}

def attack(host):
    with open(host["ledger"], "a") as file:
        file.write("one more line\n")
