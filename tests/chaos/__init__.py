"""Chaos: real processes are killed and real disks are full, and the log keeps its promises.

::

    log         `python -m tests.chaos.log`: the long version
    kills       the kill loops
    full_disk   the file system without room
    scene       one log with its keeper and its writers
    writer      the process that appends, and dies
    keeper      the process that remembers what was acknowledged
    ledger      what the keeper recorded, and whether the log agrees
    marks       what a writer is doing, to the microsecond
    homes       the two logs, opened for writing and for looking
    tally       the figures
"""
