"""Makes a file outside."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "marker",
}

def attack(host):
    with open(host["marker"], "w") as file:
        file.write("I was here")
