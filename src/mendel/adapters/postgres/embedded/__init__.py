"""An embedded PostgreSQL: started when it is needed, outliving its starter, found again by every process.

::

    server      EmbeddedServer, the only public part, and ServerStatus
    places      which file and folder stands where, and who may reach it
    ways        as whom PostgreSQL runs (it refuses to run as root)
    binaries    the programs of the wheel
    cluster     initdb, all or nothing
    processes   which processes are ours
    pidfile     what postmaster.pid says
    locks, logfile, waiting, failures    small tools
"""

from mendel.adapters.postgres.embedded.server import EmbeddedServer, ServerState, ServerStatus

__all__ = ["EmbeddedServer", "ServerState", "ServerStatus"]
