"""Chaos: real processes are killed and real disks are full, and log and kernel keep their promises.

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

    kernel            `python -m tests.chaos.kernel`: the long version
    kernel_kills      conductors are killed
    kernel_outages    PostgreSQL is restarted, or full, under a living conductor
    kernel_scene      one log, its runs and their conductors
    kernel_conductor  the process that conducts, and dies
    kernel_gaps       where exactly it can be stopped
    kernel_promises   what the design promises, checked against log and executions
    kernel_tally      the figures
"""
