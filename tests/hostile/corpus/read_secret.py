"""Opens a file of the host by its absolute path."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

def attack(host):
    with open(host["secret_path"]) as file:
        return file.read()
