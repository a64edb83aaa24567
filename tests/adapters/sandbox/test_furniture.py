"""What stands behind the walls."""

import sys
import sysconfig
from pathlib import Path, PurePosixPath

import pytest

from mendel.adapters.sandbox import furniture as room
from mendel.adapters.sandbox.furniture import FILES, IMPORTED, PACKAGES, furniture, interpreter
from mendel.contracts.errors import SandboxRefused


def bare():
    return furniture((), {}, gpu=False)


def below(inner, outer):
    return PurePosixPath(outer) in PurePosixPath(inner).parents


def test_the_standard_library_can_be_found():
    inside = bare()
    stdlib = sysconfig.get_paths(vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix})["stdlib"]
    assert (stdlib, stdlib) in inside.binds
    assert stdlib in inside.path
    assert PACKAGES not in inside.path
    assert inside.imports == IMPORTED


def test_nothing_of_the_host_is_there_but_python_and_its_libraries():
    allowed = (sys.base_prefix, "/usr/lib", "/lib", "/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom")
    for source, target in bare().binds:
        assert source.startswith(allowed)
        assert source == target
        assert source not in {"/", "/usr", "/etc", "/home", "/root", "/proc", "/sys", "/dev", sys.base_prefix}
        assert Path(source).exists()


def test_commands_bring_what_the_system_has_for_all_its_users_and_nothing_of_anybodys():
    inside = furniture((), {}, commands=True)
    assert set(bare().imports) < set(inside.imports)
    targets = {target for _, target in inside.binds}
    assert targets & {"/usr/bin", "/bin"}
    for target in targets:
        assert not target.startswith(("/home", "/work", "/var", "/proc", "/sys", "/opt", "/run", "/mnt", "/usr/src"))
        assert target not in {"/", "/usr", "/usr/local", "/etc", "/root", "/tmp", "/dev", sys.base_prefix}
    assert {target for target in targets if target.startswith("/etc/")} <= {"/etc/alternatives", "/etc/ld.so.cache"}
    assert {name for name in ("/bin", "/sbin") if Path(name).is_symlink()} <= {name for name, _ in inside.links}
    packages = {str(path) for lib in ("lib", "local/lib") for path in Path("/usr", lib).glob("python*/*-packages")}
    assert packages <= set(inside.masks)


def test_commands_do_not_change_what_others_have():
    assert furniture((), {}, commands=False) == bare()
    assert not {target for _, target in bare().binds} & {"/usr/bin", "/usr/share", "/etc/alternatives"}


def test_other_peoples_packages_are_covered():
    inside = bare()
    for folder in inside.path:
        for name in ("site-packages", "dist-packages"):
            if Path(folder, name).is_dir() and not folder.endswith("lib-dynload"):
                assert f"{folder}/{name}" in inside.masks


def test_nothing_is_placed_within_what_is_bound_already():
    """A folder is bound read-only: nothing can be made in it any more."""
    inside = bare()
    folders = [target for source, target in inside.binds if Path(source).is_dir()]
    for target in [*(target for _, target in inside.binds), *(target for target, _ in inside.links)]:
        assert not any(below(target, folder) for folder in folders), target


def test_nothing_is_placed_within_what_is_bound_already_where_python_shares_its_folder_of_libraries(
    monkeypatch, tmp_path
):
    """As Debian's own Python does."""
    (tmp_path / "libpython3.99.so.1.0").touch()
    (tmp_path / "libpython3.99.so").symlink_to("libpython3.99.so.1.0")
    monkeypatch.setattr(room, "_EVERY_LIBRARY", (str(tmp_path),))
    config = sysconfig.get_config_var
    told = {"MULTIARCH": "", "LIBDIR": str(tmp_path)}
    monkeypatch.setattr(room.sysconfig, "get_config_var", lambda name: told.get(name, config(name)))
    inside = bare()
    assert (str(tmp_path), str(tmp_path)) in inside.binds
    places = [*(target for _, target in inside.binds), *(target for target, _ in inside.links)]
    assert not any(below(place, tmp_path) for place in places)


def test_no_place_is_taken_twice():
    inside = furniture(("pytest", "iniconfig"), {"a": __file__})
    targets = [target for _, target in inside.binds] + [target for target, _ in inside.links]
    assert len(set(targets)) == len(targets)


def test_links_lead_to_what_is_there():
    inside = bare()
    for target, text in inside.links:
        assert Path(target).is_symlink()
        assert str(Path(target).readlink()) == text


def test_a_granted_file_has_its_name_and_not_its_place(tmp_path):
    (tmp_path / "secret-name").write_text("x")
    (tmp_path / "link").symlink_to("secret-name")
    inside = furniture((), {"data.csv": str(tmp_path / "link"), "folder": str(tmp_path)})
    assert (str(tmp_path / "secret-name"), f"{FILES}/data.csv") in inside.binds
    assert (str(tmp_path), f"{FILES}/folder") in inside.binds
    assert f"{FILES}/data.csv" in inside.readable


@pytest.mark.parametrize("source", ["/no/such/file", "relative/nothing", ""])
def test_a_file_that_is_not_there_is_refused(source, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    if source:
        with pytest.raises(SandboxRefused, match=source):
            furniture((), {"x": source})
    else:
        with pytest.raises(SandboxRefused):
            furniture((), {"x": source})


def test_a_granted_package_comes_with_what_it_requires_and_nothing_else():
    inside = furniture(("pytest",), {})
    names = {PurePosixPath(target).name for _, target in inside.binds if target.startswith(f"{PACKAGES}/")}
    assert {"_pytest", "pytest", "pluggy", "iniconfig", "packaging"} <= names
    assert "mendel" not in names
    assert "hypothesis" not in names
    assert inside.path[-1] == PACKAGES
    assert inside.imports[-1] == "pytest"


def test_a_granted_package_is_read_only_what_it_is(tmp_path):
    alone = furniture(("iniconfig",), {})
    names = {PurePosixPath(target).name for _, target in alone.binds if target.startswith(f"{PACKAGES}/")}
    assert {name.partition("-")[0] for name in names} == {"iniconfig"}


@pytest.mark.parametrize("package", ["no_such_package", "no_such_package.part"])
def test_a_package_that_is_not_there_is_refused_with_how_to_get_it(package):
    with pytest.raises(SandboxRefused, match=f"{package}.*pip install"):
        furniture((package,), {})


def test_a_module_of_the_standard_library_can_be_granted():
    assert "colorsys" in furniture(("colorsys",), {}).imports


def test_devices_are_devices():
    inside = bare()
    assert set(inside.devices) == {"/dev/null", "/dev/zero", "/dev/urandom"}
    assert not set(inside.devices) & set(inside.readable)


def test_the_gpu_brings_its_devices_and_what_its_driver_reads():
    with_gpu, without = furniture((), {}, gpu=True), bare()
    more = {target for _, target in with_gpu.binds} - {target for _, target in without.binds}
    assert all(
        target.startswith(("/dev/nvidia", "/dev/dri", "/dev/kfd", "/sys/", "/usr/", "/proc/")) for target in more
    )
    assert not any(target.startswith("/dev/") and target not in with_gpu.devices for target in more)


def test_the_interpreter_is_the_real_one():
    path = Path(interpreter())
    assert path.is_absolute()
    assert path.is_file()
    assert not path.is_symlink()
    assert not path.is_relative_to(sys.prefix) or sys.prefix == sys.base_prefix
