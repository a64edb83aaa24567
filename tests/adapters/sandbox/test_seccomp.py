"""The filter of system calls, run here as the kernel runs it."""

import errno
import platform
import struct
from types import SimpleNamespace

import pytest
from tests.support.rows import check_rows

from mendel.adapters.sandbox import seccomp

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
DENIED, UNKNOWN, NO_DEVICE = (0x00050000 | code for code in (errno.EPERM, errno.ENOSYS, errno.ENOTTY))
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
GROUPS = {
    "computing": seccomp.COMPUTING,
    "signalling": seccomp.SIGNALLING_ITSELF,
    "scratch": seccomp.SCRATCH,
    "threads": seccomp.THREADS,
    "commands": seccomp.COMMANDS,
    "network": seccomp.NETWORK,
    "devices": seccomp.DEVICES,
}
CLONE3, X32 = 435, 0x40000000
IOCTL = {"x86_64": 16, "aarch64": 29}
HARMLESS = (0, 0, 0, 0, 0, 0)
FCNTL_ALLOWED = {0, 1, 2, 3, 1030}
CLONE_THREAD, TMPFILE = 0x00010000, 0x00400000


def run(program: bytes, number: int, arguments=HARMLESS, architecture=None) -> int:
    """The verdict of a classic BPF program over ``struct seccomp_data``."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments)
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator, at = 0, 0
    while True:
        assert at < len(code), "the program runs past its end"
        what, yes, no, constant = code[at]
        at += 1
        if what == 0x20:
            assert constant % 4 == 0
            assert constant + 4 <= len(data)
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif what == 0x54:
            accumulator &= constant
        elif what == 0x06:
            return constant
        else:
            tests = {0x15: accumulator == constant, 0x35: accumulator >= constant, 0x45: bool(accumulator & constant)}
            at += yes if tests[what] else no


@pytest.fixture(params=MACHINES)
def machine(request):
    architecture, column = MACHINES[request.param]

    def compiled(*groups):
        program = seccomp.compiled([GROUPS[name] for name in groups], request.param)

        def verdict(number, *arguments):
            return run(program, number, (*arguments, *HARMLESS)[:6], architecture)

        return verdict

    return SimpleNamespace(name=request.param, column=column, architecture=architecture, compiled=compiled)


def numbers(machine, *groups) -> dict[str, int]:
    """Name to number of the calls of these groups."""
    words = [word.split(":") for group in groups for word in GROUPS[group].split()]
    return {name: int(found[machine.column]) for name, *found in words if machine.column < len(found)}


def sets_of_groups():
    names = list(GROUPS)
    return [
        (),
        *[(name,) for name in names],
        ("computing", "scratch"),
        ("computing", "signalling", "threads"),
        tuple(names),
    ]


@check_rows("groups", sets_of_groups())
def test_what_is_listed_is_allowed_and_nothing_else(machine, groups):
    verdict, listed = machine.compiled(*groups), numbers(machine, *groups)
    judged = {"fcntl", "prlimit64", "clone", "open", "openat", "madvise", "socket", "socketpair"}
    judged |= {"clone_of_processes", "fcntl_of_pipes", "prctl_of_names"} | {name for name in listed if "xattr" in name}
    judged |= {"ioctl_of_sockets"} if "ioctl" not in listed else set()
    others = {CLONE3: UNKNOWN, IOCTL[machine.name]: NO_DEVICE}
    allowed = {number for name, number in listed.items() if name not in judged}
    judged_numbers = {number for name, number in listed.items() if name in judged}
    for number in range(600):
        if number in judged_numbers:
            continue
        expected = ALLOWED if number in allowed else others.get(number, DENIED)
        assert verdict(number) == expected, f"call {number}"
        assert verdict(number, *[2**64 - 1] * 6) == expected, f"call {number} judged by what it should not be"


def test_numbers_above_all_calls_are_denied_and_those_of_x32_killed(machine):
    verdict = machine.compiled(*GROUPS)
    for number in (600, 1_000, 0xFFFF, X32 - 1):
        assert verdict(number) == DENIED
    for number in (X32, X32 + 1, X32 + 59, X32 + 520, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        assert verdict(number) == KILLED


@check_rows("architecture", [0, 0x40000003, 0xC000003E, 0xC00000B7, 0x40000028, 0xFFFFFFFF])
def test_calls_of_another_architecture_are_killed(machine, architecture):
    if architecture == machine.architecture:
        return
    program = seccomp.compiled(GROUPS.values(), machine.name)
    for number in range(600):
        assert run(program, number, HARMLESS, architecture) == KILLED


def test_clone3_is_not_there_whatever_is_allowed(machine):
    for groups in sets_of_groups():
        assert machine.compiled(*groups)(CLONE3) == UNKNOWN


def test_no_flags_of_open_files_owners_or_leases(machine):
    verdict, fcntl = machine.compiled("computing"), numbers(machine, "computing")["fcntl"]
    for command in [*range(20), *range(1_020, 1_045), 2**31, 2**32 - 1]:
        assert verdict(fcntl, 1, command) == (ALLOWED if command in FCNTL_ALLOWED else DENIED), f"command {command}"


def test_advice_about_memory_reaches_nobody_elses(machine):
    verdict, madvise = machine.compiled("computing"), numbers(machine, "computing")["madvise"]
    for advice in range(30):
        allowed = advice in {0, 1, 2, 3, 4, 8, 14, 15, 16, 17}
        assert verdict(madvise, 0, 4096, advice) == (ALLOWED if allowed else DENIED), f"advice {advice}"


def test_a_granted_network_is_the_internet_and_nothing_else(machine):
    verdict, calls = machine.compiled("network"), numbers(machine, "network")
    for family in range(50):
        assert verdict(calls["socket"], family) == (ALLOWED if family in {2, 10} else DENIED), f"family {family}"
        assert verdict(calls["socketpair"], family) == (ALLOWED if family == 1 else DENIED), f"family {family}"


@check_rows("more", [(), ("commands",)])
def test_a_fork_narrows_its_zygotes_filter_to_what_the_groups_allow(machine, more):
    groups = [GROUPS[name] for name in ("computing", "signalling", "scratch", *more)]
    wide = seccomp.compiled([*groups, seccomp.ZYGOTE], machine.name)
    narrow, alone = seccomp.narrowing(groups, machine.name), seccomp.compiled(groups, machine.name)
    for number in range(600):
        for arguments in (HARMLESS, [2**64 - 1] * 6, [0] * 6, [0x10011, *[0] * 5]):
            both = {run(program, number, arguments, machine.architecture) for program in (wide, narrow)}
            strictest = both.pop() if len(both) == 1 else min(both - {ALLOWED})
            assert strictest == run(alone, number, arguments, machine.architecture), f"call {number}"


def test_limits_can_be_asked_for_and_not_set(machine):
    verdict, prlimit = machine.compiled("computing"), numbers(machine, "computing")["prlimit64"]
    assert verdict(prlimit, 0, 7, 0, 12_345) == ALLOWED
    for pointer in (1, 4_096, 2**31, 2**32, 2**32 + 4, 2**47, 2**64 - 1, 0xFFFF_FFFF_0000_0000):
        assert verdict(prlimit, 0, 7, pointer, 0) == DENIED, "half of a pointer is a pointer"


def test_threads_can_be_made_and_processes_and_namespaces_cannot(machine):
    with_threads, without = machine.compiled("computing", "threads"), machine.compiled("computing")
    clone = numbers(machine, "threads")["clone"]
    thread = 0x003D0F00
    assert with_threads(clone, thread) == ALLOWED
    assert without(clone, thread) == DENIED
    for flags in (0, 17, 0x100, 0x4000, 0x00000F00):
        assert with_threads(clone, flags) == DENIED, "a process"
    for namespace in (0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert with_threads(clone, thread | namespace) == DENIED, f"namespace {namespace:#x}"
    for number in (57, 58) if machine.name == "x86_64" else ():
        assert with_threads(number) == DENIED, "fork and vfork"


def test_files_without_a_name_cannot_be_made(machine):
    verdict, listed = machine.compiled("computing", "scratch"), numbers(machine, "computing")
    for name, at in (("open", 1), ("openat", 2)):
        if name not in listed:
            continue
        for flags in (0, 1, 2, 0o100 | 1, 0o2000000):
            assert verdict(listed[name], *[0] * at, flags) == ALLOWED
        for flags in (TMPFILE, 0o20000000 | 0o200000 | 2):
            assert verdict(listed[name], *[0] * at, flags) == DENIED


def test_devices_are_not_there_unless_granted(machine):
    ioctl = IOCTL[machine.name]
    assert machine.compiled("computing", "scratch", "threads")(ioctl, 1, 0x5401) == NO_DEVICE
    assert machine.compiled("computing", "devices")(ioctl, 1, 0x5401) == ALLOWED
    sockets = machine.compiled("computing", "network")
    for command in (0x541B, 0x5421):
        assert sockets(ioctl, 1, command) == ALLOWED
    for command in (0, 0x5401, 0x5412, 0x8912, 0x541B | 1 << 31):
        assert sockets(ioctl, 1, command) in {DENIED, NO_DEVICE}
    assert machine.compiled("network", "devices")(ioctl, 1, 0x5401) == ALLOWED, "the GPU beside the network"


DANGEROUS = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "execve": 59, "execveat": 322, "mount": 165,
        "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "bpf": 321, "keyctl": 250,
        "add_key": 248, "perf_event_open": 298, "io_uring_setup": 425, "io_uring_enter": 426, "userfaultfd": 323,
        "memfd_create": 319, "seccomp": 317, "setuid": 105, "capset": 126, "kexec_load": 246, "init_module": 175,
        "reboot": 169, "socket": 41, "fork": 57, "vfork": 58, "setrlimit": 160, "setpriority": 141,
        "sched_setaffinity": 203, "shmget": 29, "mq_open": 240, "personality": 135, "pidfd_getfd": 438, "link": 86,
        "symlink": 88, "mknod": 133, "open_by_handle_at": 304, "name_to_handle_at": 303, "inotify_init1": 294,
        "setxattr": 188, "sysinfo": 99, "splice": 275, "tee": 276, "vmsplice": 278, "mlock": 149, "prctl": 157,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "execve": 221, "execveat": 281, "mount": 40, "unshare": 97,
        "setns": 268,
        "bpf": 280, "keyctl": 219, "io_uring_setup": 425, "socket": 198, "memfd_create": 279, "prctl": 167,
        "setuid": 146, "seccomp": 277, "userfaultfd": 282, "symlinkat": 36, "linkat": 37, "mknodat": 33,
    },
}  # fmt: skip


def test_what_is_dangerous_is_denied_to_a_computing_program(machine):
    verdict = machine.compiled("computing", "signalling", "scratch", "threads")
    for name, number in DANGEROUS[machine.name].items():
        assert verdict(number) == DENIED, name


def test_what_is_dangerous_is_denied_to_commands(machine):
    verdict = machine.compiled("computing", "signalling", "scratch", "commands")
    needed = {"execve", "fork", "vfork", "symlink", "symlinkat", "sysinfo", "setxattr"}
    for name, number in DANGEROUS[machine.name].items():
        assert (verdict(number) == DENIED) == (name not in needed), name


def test_commands_make_processes_and_no_namespaces(machine):
    verdict, calls = machine.compiled("computing", "commands"), numbers(machine, "commands")
    for flags in (17, 0x4111, 0x01200011, 0x003D0F00):
        assert verdict(calls["clone_of_processes"], flags) == ALLOWED
    for namespace in (0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert verdict(calls["clone_of_processes"], 17 | namespace) == DENIED, f"namespace {namespace:#x}"
    for family in range(50):
        assert verdict(calls["socketpair"], family) == (ALLOWED if family == 1 else DENIED), f"family {family}"
    for command in range(60):
        expected = ALLOWED if command in {*FCNTL_ALLOWED, 4} else DENIED
        assert verdict(calls["fcntl_of_pipes"], 0, command) == expected, f"fcntl {command}"
        expected = ALLOWED if command in {1, 3, 15, 16} else DENIED
        assert verdict(calls["prctl_of_names"], command) == expected, f"prctl {command}"


def test_a_filter_is_one_that_the_kernel_takes(machine):
    program = seccomp.compiled(GROUPS.values(), machine.name)
    assert len(program) % 8 == 0
    assert len(program) // 8 <= 4_096
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    for at, (what, yes, no, _) in enumerate(code):
        assert what in {0x20, 0x54, 0x15, 0x35, 0x45, 0x06}
        if what in {0x15, 0x35, 0x45}:
            assert at + 1 + max(yes, no) < len(code)
    assert code[-1][0] == 0x06


def test_no_number_stands_for_two_calls(machine):
    listed = numbers(machine, *GROUPS)
    assert listed.pop("ioctl_of_sockets") == listed["ioctl"] == IOCTL[machine.name]
    assert listed.pop("clone_of_processes") == listed["clone"]
    assert listed.pop("fcntl_of_pipes") == listed["fcntl"]
    assert len(set(listed.values())) == len(listed)


def test_the_machine_at_hand_is_meant_unless_told():
    if seccomp.known(platform.machine()):
        assert seccomp.compiled([seccomp.COMPUTING]) == seccomp.compiled([seccomp.COMPUTING], platform.machine())


def test_an_unknown_machine_is_named_with_the_known_ones():
    assert not seccomp.known("riscv64")
    with pytest.raises(ValueError, match=r"riscv64.*x86_64 and aarch64"):
        seccomp.compiled([seccomp.COMPUTING], "riscv64")
