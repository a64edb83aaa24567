"""What passes between a zygote and its parent for each evaluation. Standard library only: both sides read it."""

from __future__ import annotations

import struct

ORDER = struct.Struct("<ddQi")
"""To a zygote: seconds of a case, seconds of all, bytes of the request, and the core to run on or -1."""

ENDED = struct.Struct("<BiddQ?")
"""From a zygote: how the fork ended (an index of ``WAYS``), its status, processor and wall time in seconds, its most
memory in KiB, and whether the zygote is spoiled. A packet of any other size says in words why there was no fork."""

WAYS = ("itself", "timeout", "cancelled")
