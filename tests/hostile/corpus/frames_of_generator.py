"""Reaches its caller by the frame of a generator that is running."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

NAMES = ("expected", "answer", "oracle", "target", "wanted", "solution", "want", "truth")


def attack(host):
    def looking():
        frame = running.gi_frame
        while frame is not None:
            for name in NAMES:
                if name in frame.f_locals:
                    yield frame.f_locals[name]
            frame = frame.f_back
        yield None

    running = looking()
    return next(running)
