"""The system calls that a program may make: an allow-list, compiled to a seccomp filter.

Any other call fails with EPERM, so that a library that only probes for a feature continues without it. ``clone3`` fails
with ENOSYS: a filter cannot read its arguments, which lie in memory, and the C library then falls back to ``clone``,
which a filter can check. ``ioctl`` fails with ENOTTY, as on any file that is not a device. A call of another
architecture kills the process.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

# name:number on x86_64:number on aarch64 (where it exists there)
COMPUTING: Final = """
    read:0:63 write:1:64 close:3:57 fstat:5:80 newfstatat:262:79 stat:4 lstat:6 statx:332:291 lseek:8:62
    pread64:17:67 readv:19:65 writev:20:66 access:21 faccessat:269:48 faccessat2:439:439 openat:257:56 open:2
    getdents64:217:61 readlink:89 readlinkat:267:78 getcwd:79:17 dup:32:23 dup2:33 dup3:292:24 fcntl:72:25
    mmap:9:222 munmap:11:215 mprotect:10:226 mremap:25:216 madvise:28:233 brk:12:214 rt_sigaction:13:134
    rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 sigaltstack:131:132 futex:202:98
    sched_yield:24:124 clock_gettime:228:113 clock_getres:229:114
    clock_nanosleep:230:115 nanosleep:35:101 gettimeofday:96:169 time:201 times:100:153 getitimer:36:102
    setitimer:38:103 alarm:37 pause:34 poll:7 ppoll:271:73 select:23 pselect6:270:72 restart_syscall:219:128
    getrandom:318:278 getpid:39:172 gettid:186:178 getppid:110:173 getuid:102:174 geteuid:107:175 getgid:104:176
    getegid:108:177 getresuid:118:148 getresgid:120:150 getgroups:115:158 getpgrp:111 getpgid:121:155
    getsid:124:156 getrusage:98:165 getrlimit:97:163 prlimit64:302:261 uname:63:160 getcpu:309:168
    set_robust_list:273:99 rseq:334:293 exit:60:93 exit_group:231:94 umask:95:166
"""
SIGNALLING_ITSELF: Final = """
    kill:62:129 tkill:200:130 tgkill:234:131
"""
SCRATCH: Final = """
    pwrite64:18:68 pwritev:296:70 preadv:295:69 ftruncate:77:46 truncate:76:45 fsync:74:82 fdatasync:75:83
    mkdir:83 mkdirat:258:34 rmdir:84 unlink:87 unlinkat:263:35 rename:82 renameat:264:38 renameat2:316:276
    chdir:80:49 fchdir:81:50 chmod:90 fchmod:91:52 fchmodat:268:53 utimensat:280:88 fallocate:285:47
    msync:26:227
"""
THREADS: Final = "clone:56:220"
NETWORK: Final = """
    socket:41:198 socketpair:53:199 connect:42:203 bind:49:200 listen:50:201 accept:43:202 accept4:288:242
    sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 sendmmsg:307:269 recvmmsg:299:243 shutdown:48:210
    getsockname:51:204 getpeername:52:205 setsockopt:54:208 getsockopt:55:209 epoll_create1:291:20
    epoll_ctl:233:21 epoll_wait:232 epoll_pwait:281:22 eventfd2:290:19 pipe2:293:59 ioctl_of_sockets:16:29
"""
DEVICES: Final = "ioctl:16:29"
COMMANDS: Final = """
    execve:59:221 clone_of_processes:56:220 fork:57 vfork:58 wait4:61:260 waitid:247:95 pidfd_open:434:434 pipe:22
    pipe2:293:59 socketpair:53:199 shutdown:48:210 getsockname:51:204 getsockopt:55:209 setsid:112:157 setpgid:109:154
    arch_prctl:158 set_tid_address:218:96 prctl_of_names:157:167 fcntl_of_pipes:72:25 ioctl_of_sockets:16:29
    epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232 epoll_pwait:281:22 eventfd2:290:19
    timerfd_create:283:85 timerfd_settime:286:86 timer_create:222:107 timer_settime:223:110 timer_delete:226:111
    rt_sigsuspend:130:133 rt_sigtimedwait:128:137 sched_getaffinity:204:123 sysinfo:99:179
    statfs:137:43 fstatfs:138:44 fadvise64:221:223 sendfile:40:71 copy_file_range:326:285 creat:85
    symlink:88 symlinkat:266:36 close_range:436:436 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10 listxattr:194:11
    llistxattr:195:12 flistxattr:196:13 setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 setresuid:117:147
    setresgid:119:149
"""
"""Calls that a shell, a compiler and the runtimes of other languages need besides ``THREADS``: processes without new
namespaces, and pipes between them. The only sockets are private pairs; no file locks, no inspecting of processes."""
ZYGOTE: Final = """
    clone_of_any_kind:56:220 wait4:61:260 pidfd_open:434:434 kill:62:129 setsid:112:157 sched_setaffinity:203:122
    close_range:436:436 capset:126:91 prctl:157:167 recvfrom:45:207 sendto:44:206
"""
"""Calls that a zygote needs and its forks do not."""

_ARCHITECTURES: Final = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_CLONE3: Final = 435  # the same number everywhere
_IOCTL: Final = (16, 29)  # by column
_HIGHEST: Final = 0x3FFFFFFF
"""Numbers above it belong to the x32 interface of the same kernel, for which this filter has no rules."""

_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000  # return values of a filter
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06  # BPF opcodes
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16  # offsets in ``struct seccomp_data``

_CLONE_THREAD: Final = 0x00010000
_CLONE_NEW_ANYTHING: Final = 0x7E020080  # every CLONE_NEW* flag
_FCNTL_COMMANDS: Final = (0, 1, 2, 3, 1030)
"""Duplicating a descriptor, and its flags; no leases, no notifications, no signal owners. No locks: a lock on a file
that all programs can read would be a channel between them. The flags of an open file are read-only: standard
output is the same open file for the next program."""

_FCNTL_OF_PIPES: Final = (*_FCNTL_COMMANDS, 4)
"""Also sets the flags of an open file, as runtimes need for pipes; a zygote with commands makes only one fork."""

_NAMING: Final = (1, 3, 15, 16, 0x53564D41)
"""Options of ``prctl``: names of threads and memory, the signal on the parent's death, and whether to dump core."""

_ATTRIBUTES: Final = (
    "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "setxattr", "lsetxattr", "fsetxattr",
)  # fmt: skip
"""These fail as on files without attributes: tools that list or copy files complain about any other error."""

_INTERNET, _PAIRS = (2, 10), (1,)
"""Socket families: a granted network means the internet, not the Unix sockets of processes on the host."""

_MADVICE: Final = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
"""Advice that affects only the caller: neither merging pages nor paging out (both affect other processes)."""

_WAITING: Final = (0x541B, 0x5421)
"""``FIONREAD`` and ``FIONBIO``: the number of readable bytes, and non-blocking mode of a socket."""

_NAMELESS_FILE: Final = 0x00400000
"""``O_TMPFILE``: a file without a directory entry, through which a program could use the scratch folder unnoticed."""


class Instruction(NamedTuple):
    """One instruction of a filter: code, jump offsets if true and if false, and a constant."""

    code: int
    yes: int
    no: int
    constant: int


Code = Sequence[Instruction]


def known(machine: str) -> bool:
    """Whether the system call numbers of that machine are in the table."""
    return machine in _ARCHITECTURES


def compiled(groups: Iterable[str], machine: str | None = None) -> bytes:
    """Compile the filter that allows these groups of calls, in the kernel's binary format.

    Raises:
        ValueError: the system calls of the machine are unknown.
    """
    name = machine or platform.machine()
    if name not in _ARCHITECTURES:
        known = " and ".join(_ARCHITECTURES)
        raise ValueError(f"the system calls of {name} are unknown; supported machines are {known}")
    architecture, column = _ARCHITECTURES[name]
    code = [
        Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        Instruction(_IF_EQUAL, 1, 0, architecture),  # call numbers depend on the architecture
        _returns(_KILL),
        Instruction(_LOAD, 0, 0, _NUMBER_AT),
        *_search(_segments(_verdicts(groups, column))),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def narrowing(groups: Iterable[str], machine: str | None = None) -> bytes:
    """Compile the filter that a fork adds to its zygote's (these groups plus ``ZYGOTE``), to leave only the groups.

    The kernel compiles a filter anew in each process that installs it; this one has a fifth of the instructions.
    """
    _, column = _ARCHITECTURES[machine or platform.machine()]
    wanted, more = _verdicts(groups, column), _verdicts([ZYGOTE], column)
    segments: list[tuple[int, Code]] = [(0, _ALLOWED)]
    for number in sorted(more):
        verdict = wanted.get(number, _DENIED)
        if verdict is not _ALLOWED:
            _begin(segments, number, verdict)
            _begin(segments, number + 1, _ALLOWED)
    code = [Instruction(_LOAD, 0, 0, _NUMBER_AT), *_search(segments)]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _verdicts(groups: Iterable[str], column: int) -> Mapping[int, Code]:
    """Map each system call number to its verdict."""
    verdicts: dict[int, Code] = {
        _CLONE3: [_returns(_ERRNO | errno.ENOSYS)],
        _IOCTL[column]: [_returns(_ERRNO | errno.ENOTTY)],
    }
    for word in " ".join(groups).split():
        name, *numbers = word.split(":")
        if column < len(numbers):
            verdicts[int(numbers[column])] = _JUDGED.get(name, _ALLOWED)
    return verdicts


def _segments(verdicts: Mapping[int, Code]) -> list[tuple[int, Code]]:
    """List the points along the call numbers where the verdict changes, as (first number, verdict)."""
    segments: list[tuple[int, Code]] = [(0, _DENIED)]
    for number in sorted(verdicts):
        _begin(segments, number, verdicts[number])
        _begin(segments, number + 1, _DENIED)
    return [*segments, (_HIGHEST + 1, [_returns(_KILL)])]


def _begin(segments: list[tuple[int, Code]], number: int, verdict: Code) -> None:
    if segments[-1][0] == number:
        segments.pop()
    if not segments or segments[-1][1] is not verdict:
        segments.append((number, verdict))


def _search(segments: Sequence[tuple[int, Code]]) -> list[Instruction]:
    """Build a binary search for the segment: on installation the kernel runs the filter once for each call number."""
    if len(segments) == 1:
        return list(segments[0][1])
    middle = len(segments) // 2
    below, above = _search(segments[:middle]), _search(segments[middle:])
    return [Instruction(_IF_AT_LEAST, len(below), 0, segments[middle][0]), *below, *above]


def _returns(verdict: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, verdict)


def _argument(index: int, *, upper: bool = False) -> Instruction:
    return Instruction(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index + (4 if upper else 0))


def _only(index: int, values: Sequence[int], otherwise: Code) -> Code:
    """Allow the call only if this argument has one of the values."""
    tests = [Instruction(_IF_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [_argument(index), *tests, *otherwise, *_ALLOWED]


def _only_asking() -> Code:
    """Allow ``prlimit64`` only if it sets no new limit."""
    ask = [_argument(2), Instruction(_IF_EQUAL, 0, 2, 0), _argument(2, upper=True), Instruction(_IF_EQUAL, 1, 0, 0)]
    return [*ask, *_DENIED, *_ALLOWED]


def _only_threads() -> Code:
    """Allow ``clone`` only for a thread and without new namespaces."""
    ask = [
        _argument(0),
        Instruction(_IF_ANY, 1, 0, _CLONE_NEW_ANYTHING),
        Instruction(_IF_ANY, 1, 0, _CLONE_THREAD),
    ]
    return [*ask, *_DENIED, *_ALLOWED]


def _only_processes() -> Code:
    """Allow ``clone`` only for a thread or a process, without new namespaces."""
    return [_argument(0), Instruction(_IF_ANY, 0, 1, _CLONE_NEW_ANYTHING), *_DENIED, *_ALLOWED]


def _only_named_files(flags: int) -> Code:
    return [_argument(flags), Instruction(_IF_ANY, 0, 1, _NAMELESS_FILE), *_DENIED, *_ALLOWED]


_ALLOWED: Final[Code] = (_returns(_ALLOW),)
_DENIED: Final[Code] = (_returns(_ERRNO | errno.EPERM),)
_JUDGED: Final[Mapping[str, Code]] = {
    "fcntl": _only(1, _FCNTL_COMMANDS, _DENIED),
    "prlimit64": _only_asking(),
    "ioctl_of_sockets": _only(1, _WAITING, (_returns(_ERRNO | errno.ENOTTY),)),
    "clone": _only_threads(),
    "clone_of_processes": _only_processes(),
    "fcntl_of_pipes": _only(1, _FCNTL_OF_PIPES, _DENIED),
    "prctl_of_names": _only(0, _NAMING, _DENIED),
    **dict.fromkeys(_ATTRIBUTES, (_returns(_ERRNO | errno.EOPNOTSUPP),)),
    "open": _only_named_files(1),
    "openat": _only_named_files(2),
    "madvise": _only(2, _MADVICE, _DENIED),
    "socket": _only(0, _INTERNET, _DENIED),
    "socketpair": _only(0, _PAIRS, _DENIED),
}
