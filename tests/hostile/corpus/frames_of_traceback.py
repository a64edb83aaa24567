"""Reaches its caller by the traceback of an error that it raises itself."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

NAMES = ("expected", "answer", "oracle", "target", "wanted", "solution", "want", "truth")


def attack(host):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame is not None:
        for name in NAMES:
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
