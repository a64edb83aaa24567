"""The files visible inside the sandbox: the standard library, its shared libraries, and granted files."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mendel.contracts.errors import SandboxRefused

FILES: Final = "/files"
PACKAGES: Final = "/packages"
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom")
GPU_DEVICES: Final = ("nvidia", "dri", "kfd")  # prefixes of names in /dev
GPU_PLACES: Final = (
    "/sys/bus/pci", "/sys/class", "/sys/devices", "/sys/module", "/usr/lib", "/usr/local/nvidia", "/usr/local/cuda",
)  # fmt: skip
"""Folders that GPU drivers and their libraries read, besides a private /proc."""

COMMAND_PLACES: Final = (
    "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/include",
    "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/lib64", "/usr/local/libexec",
    "/usr/local/share", "/usr/local/include", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives",
)  # fmt: skip
"""System folders with the programs of all users and the files they read; no folder that belongs to a single user."""

COMMAND_IMPORTS: Final = ("resource", "select", "signal", "subprocess")

NETWORK_FILES: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs")

IMPORTED: Final = (
    "abc", "array", "bisect", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "datetime", "enum",
    "functools", "heapq", "io", "itertools", "json", "math", "operator", "random", "re", "string", "struct", "time",
    "types", "typing",
)  # fmt: skip
"""Modules imported before any program runs. Each makes every fork slightly slower; programs can import others."""

_DISTRIBUTION_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PYTHON_FOLDERS: Final = ("site-packages", "dist-packages", "test", "idlelib", "tkinter", "ensurepip")


@dataclass(frozen=True)
class Furniture:
    """Read-only bind mounts, symbolic links, masked folders, devices, the module search path, and initial imports."""

    binds: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    masks: tuple[str, ...]
    devices: tuple[str, ...]
    path: tuple[str, ...]
    imports: tuple[str, ...]

    @property
    def readable(self) -> tuple[str, ...]:
        """Return the paths inside the sandbox that programs may read."""
        return tuple(target for _, target in self.binds if target not in self.devices)


def furniture(
    packages: Collection[str],
    files: Mapping[str, str],
    *,
    network: bool = False,
    gpu: bool = False,
    commands: bool = False,
) -> Furniture:
    """List the files that a zygote with these grants needs.

    Raises:
        SandboxRefused: a granted package or file does not exist.
    """
    packages = tuple(packages)
    binds = [(path, path) for path in (*_libraries(), *_stdlib(), *_cache())]
    binds += _package_binds(packages)
    binds += [(_granted(source), f"{FILES}/{name}") for name, source in files.items()]
    devices = [*DEVICES, *(_gpu_devices() if gpu else ())]
    binds += [(device, device) for device in devices if Path(device).exists()]
    binds += [(place, place) for place in GPU_PLACES if gpu and Path(place).exists()]
    binds += [(str(Path(path).resolve()), path) for path in NETWORK_FILES if network and Path(path).exists()]
    binds += [(place, place) for place in _command_places() if commands]
    path = [*_search_path(), *([PACKAGES] if packages else [])]
    needed = _outermost(binds)
    names = ("/lib", "/lib64", "/bin", "/sbin") if commands else ("/lib", "/lib64")
    links = [(name, text) for name, text in _links(names) if not _covered(name, needed)]
    masks = tuple(dict.fromkeys([*_masks(), *(_packages_of_commands() if commands else ())]))
    imports = (*IMPORTED, *(COMMAND_IMPORTS if commands else ()), *packages)
    return Furniture(tuple(needed), tuple(links), masks, tuple(devices), tuple(path), imports)


def _command_places() -> Iterator[str]:
    return (place for place in COMMAND_PLACES if Path(place).is_dir() and not _has_link(place))


def _packages_of_commands() -> Iterator[str]:
    """Find Python packages among the system's libraries, to hide them: Mendel may be one of them."""
    for place in ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"):
        for kind in ("site-packages", "dist-packages"):
            yield from (str(folder) for folder in sorted(Path(place).glob(f"python*/{kind}")) if not _has_link(place))


def _outermost(binds: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Drop binds that lie within another one under the same path."""
    unique = list(dict.fromkeys(binds))
    return [bind for bind in unique if bind[0] != bind[1] or not _covered(bind[1], unique)]


def _covered(path: str, binds: Iterable[tuple[str, str]]) -> bool:
    parents = set(map(str, Path(path).parents))
    return any(source == target and target in parents for source, target in binds)


def interpreter() -> str:
    """Return the real path of the interpreter, not its link in a virtual environment."""
    base: str = getattr(sys, "_base_executable", "") or sys.executable  # outside any virtual environment
    return str(Path(base).resolve())


def _stdlib() -> list[str]:
    paths = sysconfig.get_paths(vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix})
    folders = dict.fromkeys([paths["stdlib"], paths["platstdlib"]])
    return [folder for folder in folders if Path(folder).is_dir()]


def _search_path() -> list[str]:
    return [place for folder in _stdlib() for place in (folder, f"{folder}/lib-dynload") if Path(place).is_dir()]


def _libraries() -> Iterator[str]:
    """List the folders of shared libraries; where the system separates architectures, only those of this one."""
    several = sysconfig.get_config_var("MULTIARCH") or ""
    apart = bool(several) and Path("/usr/lib", several).is_dir()
    names = [f"/usr/lib/{several}", f"/lib/{several}", "/usr/lib64", "/lib64"] if apart else _EVERY_LIBRARY
    yield from (name for name in names if Path(name).is_dir() and not _has_link(name))
    yield from (str(library) for library in _own_libraries() if not library.is_symlink())


def _own_libraries() -> Iterator[Path]:
    """Find Python's own shared library under all its names."""
    return Path(sysconfig.get_config_var("LIBDIR") or "/nowhere").glob("libpython*.so*")


_EVERY_LIBRARY: Final = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


def _has_link(name: str) -> bool:
    return Path(name).is_symlink() or Path(name).parent.is_symlink()


def _links(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Find which names (such as ``/lib``) are links into ``/usr``, and which of Python's libraries are links."""
    for name in names:
        if Path(name).is_symlink():
            yield name, str(Path(name).readlink())
    for library in _own_libraries():
        if library.is_symlink():
            yield str(library), str(library.readlink())


def _masks() -> Iterator[str]:
    """Find folders in the standard library with third-party packages, or with modules that no program needs."""
    return (str(Path(folder, name)) for folder in _stdlib() for name in _PYTHON_FOLDERS if Path(folder, name).is_dir())


def _cache() -> list[str]:
    cache = "/etc/ld.so.cache"
    return [cache] if Path(cache).is_file() else []


def _granted(source: str) -> str:
    path = Path(source)
    if not source or not path.exists():
        raise SandboxRefused(f"the granted file {source!r} does not exist")
    return str(path.resolve())


def _gpu_devices() -> list[str]:
    return sorted(str(path) for path in Path("/dev").glob("*") if path.name.startswith(GPU_DEVICES))


def _package_binds(packages: Collection[str]) -> Iterator[tuple[str, str]]:
    """Map each package and its requirements from their location on the host to the one inside the sandbox."""
    for top in _closure(packages) if packages else ():  # the scan of all installed packages is slow
        yield top, f"{PACKAGES}/{Path(top).name}"


def _closure(packages: Collection[str]) -> list[str]:
    """List the top-level folders and files of the packages' distributions, and of all their requirements."""
    places: dict[str, None] = {}
    distributions = importlib.metadata.packages_distributions()
    waiting: list[str] = []
    seen: set[str] = set()
    for package in packages:
        top = package.partition(".")[0]
        if importlib.util.find_spec(top) is None:
            raise SandboxRefused(f"the granted package {package} is not installed: pip install {package}")
        waiting.extend(distributions.get(top, ()))
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # required only on other platforms, or by an extra
        places |= dict.fromkeys(_tops(distribution))
        waiting.extend(_required(distribution))
    return list(places)


def _tops(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    base = os.path.realpath(str(distribution.locate_file("")))
    names = {file.parts[0] for file in distribution.files or () if file.parts[0] not in {"..", "__pycache__"}}
    yield from (f"{base}/{name}" for name in sorted(names) if Path(base, name).exists())


def _required(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    for requirement in distribution.requires or ():
        words, _, marker = requirement.partition(";")
        name = _DISTRIBUTION_NAME.match(words)
        if name and "extra" not in marker:
            yield name[0]
