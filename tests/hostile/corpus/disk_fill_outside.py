"""Fills a folder of the host."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock", "rlimits"],
    "expect": ["exception"],
    "proof": "marker",
}

def attack(host):
    for number in range(8):
        with open(f"{host['folder']}/filler-{number}", "wb") as file:
            file.write(b"x" * 1_000_000)
