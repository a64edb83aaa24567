"""Sets every clock that a harness could look at back to where it was, after working for half a second."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["time is the parent's measurement"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "untimed",
    "limits": {"case_s": 5.0},
    "more_than": 0.3,
}

import time


def attack(host):
    began, real = time.perf_counter(), time.perf_counter
    while real() < began + 0.5:
        pass
    for name in ("perf_counter", "monotonic", "time", "process_time", "thread_time"):
        setattr(time, name, lambda: began)
        setattr(time, name + "_ns", lambda: int(began * 1e9))
