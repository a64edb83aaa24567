"""The user that PostgreSQL runs as.

PostgreSQL refuses to run as root. An unprivileged user runs it directly. Root runs it in a user namespace in which
root maps to an unprivileged id, so the files still belong to root. Where namespaces are forbidden, as in a default
container, root drops to an unprivileged id. A cluster that belongs to an unprivileged id is served by that id.
"""

from __future__ import annotations

import os
import pwd
import stat
import subprocess  # needed to start PostgreSQL  # nosec B404
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mendel.adapters.postgres.embedded.failures import WITHOUT_SERVER
from mendel.contracts.errors import EmbeddedServerError

# Unprivileged ids, the likeliest first. initdb requires one that has a name in /etc/passwd.
_ORDINARY_IDS = (65534, 65532, 1000, 1, 2)

# Forks once more to detach the server from its starter: no zombie, no signals, no shared terminal.
_LAUNCHER = """
import os, sys
ids, command = sys.argv[1], sys.argv[2:]
if os.fork():
    os._exit(0)
os.setsid()
if ids:
    uid, gid = map(int, ids.split(":"))
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
os.execvp(command[0], command)
"""


@dataclass(frozen=True)
class Way:
    """One way to run PostgreSQL's programs; `uid` and `gid` are those of the files that it can use."""

    name: str
    uid: int
    gid: int
    prefix: tuple[str, ...] = ()
    drops: bool = False

    @property
    def plain(self) -> bool:
        """Whether PostgreSQL runs with exactly our own rights."""
        return not self.prefix and not self.drops

    def run(self, command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program to its end with `text` as its input; the caller checks the exit code."""
        return subprocess.run(  # noqa: S603 - a list made here, no shell  # nosec B603
            [*self.prefix, *command],
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            cwd="/",
            env=_environment(),
            user=self.uid if self.drops else None,
            group=self.gid if self.drops else None,
            extra_groups=[] if self.drops else None,
        )

    def launch(self, command: Sequence[str], log: Path, keep: int) -> None:
        """Start a program in its own session that outlives us; it inherits only `keep` and the log."""
        ids = f"{self.uid}:{self.gid}" if self.drops else ""
        with os.fdopen(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as output:
            subprocess.run(  # noqa: S603 - a list made here, no shell  # nosec B603
                [sys.executable, "-IS", "-c", _LAUNCHER, ids, *self.prefix, *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(keep,),
                check=False,
                cwd="/",
                env=_environment(),
            )

    def refusal(self) -> str | None:
        """Return why this machine forbids this way; None if it works."""
        try:
            done = self.run(["true"])
        except OSError as error:
            return str(error)
        if done.returncode == 0:
            return None
        return done.stderr.strip() or f"it ended with exit code {done.returncode}"

    def reaches(self, folder: Path) -> bool:
        """Whether the permissions of `folder` and its parents let this way open files below it."""
        if self.plain:
            return True
        return all(self.may(place.stat(), stat.S_IXOTH) for place in (folder, *folder.parents))

    def may(self, entry: os.stat_result, bits: int) -> bool:
        """Whether the mode grants `bits` (as for "others") to this way's id, disregarding root's privileges."""
        if entry.st_uid == self.uid:
            bits <<= 6
        elif entry.st_gid == self.gid:
            bits <<= 3
        return entry.st_mode & bits == bits

    def take(self, folder: Path) -> None:
        """Transfer a folder that we made, with its contents, to the id that runs PostgreSQL."""
        if not self.drops:
            return
        for entry in folder.rglob("*"):
            os.chown(entry, self.uid, self.gid, follow_symlinks=False)
        # Last, because the folder's owner indicates whether the transfer was complete.
        os.chown(folder, self.uid, self.gid, follow_symlinks=False)


def choose(owner: os.stat_result | None) -> Way:
    """Return the first way that works here for a cluster with that owner (None: not initialised yet)."""
    if os.geteuid() != 0:
        return _directly(owner)
    refusals = []
    for way in _candidates(owner):
        reason = way.refusal()
        if reason is None:
            return way
        refusals.append(f"  {way.name}: {reason}")
    raise EmbeddedServerError(
        "PostgreSQL refuses to run as root, and no other way works here:\n"
        + "\n".join(refusals)
        + f"\nRun Mendel as an unprivileged user. {WITHOUT_SERVER}"
    )


def for_initdb(way: Way) -> Way:
    """Return the way for initdb, which also requires a user with a name; in a container the user often has none."""
    if not way.plain or _has_name(way.uid):
        return way
    namespace = _namespace()
    reason = namespace.refusal()
    if reason is None:
        return namespace
    raise EmbeddedServerError(
        f"PostgreSQL's initdb needs a user with a name, and uid {way.uid} has none in /etc/passwd; a user "
        f"namespace, which would provide one, is refused here ({reason}). Add a name, or run as another user. "
        f"{WITHOUT_SERVER}"
    )


def describe(pid: int) -> str:
    """Describe how a running process of ours was started, judging from /proc."""
    process = Path(f"/proc/{pid}")
    uid = process.stat().st_uid
    if uid != os.geteuid():
        return f"dropped to uid {uid}"
    same = os.path.samestat((process / "ns/user").stat(), Path("/proc/self/ns/user").stat())
    return "directly" if same else "user namespace"


def _directly(owner: os.stat_result | None) -> Way:
    if owner is not None and owner.st_uid != os.geteuid():
        raise EmbeddedServerError(
            f"the PostgreSQL data belongs to uid {owner.st_uid}, and you are uid {os.geteuid()}; run Mendel as "
            f"that user, or set MENDEL_HOME to a folder of your own. {WITHOUT_SERVER}"
        )
    return Way("directly", os.geteuid(), os.getegid())


def _candidates(owner: os.stat_result | None) -> list[Way]:
    if owner is not None and owner.st_uid != 0:
        return [_dropped(owner.st_uid, owner.st_gid)]
    return [_namespace(), _dropped(_ordinary_id(), _ordinary_id())]


def _namespace() -> Way:
    inside = _ordinary_id()
    prefix = ("unshare", "--user", f"--map-user={inside}", f"--map-group={inside}")
    return Way("user namespace", os.geteuid(), os.getegid(), prefix=prefix)


def _dropped(uid: int, gid: int) -> Way:
    return Way(f"dropped to uid {uid}", uid, gid, drops=True)


def _ordinary_id() -> int:
    return next(filter(_has_name, _ORDINARY_IDS), _ORDINARY_IDS[0])


def _has_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _environment() -> dict[str, str]:
    """Return a minimal environment: PG* variables would change settings, and a server must not inherit secrets."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
