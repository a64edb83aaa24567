"""Opens a file of the host by the C library, past anything that Python's own open could be told to refuse."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import ctypes


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.open(host["secret_path"].encode(), 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "open")
    buffer = ctypes.create_string_buffer(4096)
    libc.read(descriptor, buffer, 4096)
    return buffer.value.decode()
