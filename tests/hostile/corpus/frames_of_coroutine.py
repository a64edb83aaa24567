"""Is a coroutine, and reaches whoever drives it by its frame."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value", "exception", "violation"],
    "proof": "answer",
}

NAMES = ("expected", "answer", "oracle", "target", "wanted", "solution", "want", "truth")


class Await:
    def __await__(self):
        return self.found
        yield


def attack(host):
    async def looking():
        frame = running.cr_frame
        while frame is not None:
            for name in NAMES:
                if name in frame.f_locals:
                    return frame.f_locals[name]
            frame = frame.f_back

    running = looking()
    try:
        running.send(None)
    except StopIteration as end:
        return end.value
