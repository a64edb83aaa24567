"""Messages between a zygote and its parent, per evaluation. Standard library only: both sides import it."""

from __future__ import annotations

import struct

ORDER = struct.Struct("<ddQi")
"""To a zygote: seconds per case, seconds in total, bytes of the request, and the core to run on or -1."""

ENDED = struct.Struct("<BiddQ?")
"""From a zygote: how the fork ended (an index of ``WAYS``), its status, processor and wall seconds, its peak memory
in KiB, and whether the zygote is spoiled. A packet of any other size is a text that says why there was no fork."""

WAYS = ("itself", "timeout", "cancelled")
