import sys

import pytest

from mendel.contracts.errors import BrokenPlugin, UnknownPlugin
from mendel.ports import registry
from mendel.ports.registry import GROUPS, INSTALLABLE, plugins, resolve

MODULE = """
class Selector:
    pass
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a real distribution on the path: a package folder and its dist-info."""
    before = set(sys.modules)

    def _install(name, entry_points, module=MODULE, *, metadata=None, folder="site"):
        site = tmp_path / folder
        package = site / name.replace("-", "_")
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(module)
        info = site / f"{name.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        described = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\nSummary: picks parents\n"
        (info / "METADATA").write_text(described if metadata is None else metadata)
        (info / "entry_points.txt").write_text(entry_points)
        monkeypatch.syspath_prepend(str(site))

    yield _install
    for added in set(sys.modules) - before:
        if added.startswith("acme"):
            del sys.modules[added]


def test_a_third_party_plugin_is_listed_without_being_imported(install):
    install("acme-select", "[mendel.selectors]\nacme = acme_select:Selector\n", "raise SystemExit('imported')")
    (plugin,) = [plugin for plugin in plugins("mendel.selectors") if plugin.name == "acme"]
    assert plugin.value == "acme_select:Selector"
    assert (plugin.distribution, plugin.version, plugin.summary) == ("acme-select", "1.2", "picks parents")
    assert plugin in plugins()
    assert "acme_select" not in sys.modules


def test_a_third_party_plugin_is_loaded_by_name(install):
    install("acme-select", "[mendel.selectors]\nacme = acme_select:Selector\n")
    loaded = resolve("mendel.selectors", "acme")
    assert loaded is sys.modules["acme_select"].Selector


def test_groups_that_are_not_ours_are_not_listed(install):
    install("acme-more", "[console_scripts]\nacme = acme_more:main\n[mendel.unheard_of]\nx = acme_more:X\n")
    assert [plugin for plugin in plugins() if plugin.distribution == "acme-more"] == []


def test_every_group_is_described_and_can_be_listed():
    for group, description in GROUPS.items():
        assert description
        assert all(plugin.group == group for plugin in plugins(group))
    assert {group for group, _ in INSTALLABLE} <= set(GROUPS)


def test_an_unknown_name_answers_with_the_known_and_the_nearest(install):
    install("acme-select", "[mendel.selectors]\nacme = acme_select:Selector\nzeta = acme_select:Selector\n")
    with pytest.raises(UnknownPlugin) as caught:
        resolve("mendel.selectors", "acmee")
    assert 'mendel.selectors has no "acmee"' in str(caught.value)
    assert "acme, " in str(caught.value)
    assert "zeta" in str(caught.value)
    assert "did you mean acme?" in str(caught.value)


def test_a_well_known_name_of_an_extra_answers_with_the_package(monkeypatch):
    monkeypatch.setattr(registry, "INSTALLABLE", {("mendel.task_queues", "ray"): "mendel[ray]"})
    with pytest.raises(UnknownPlugin, match=r"pip install 'mendel\[ray\]'"):
        resolve("mendel.task_queues", "ray")


@pytest.mark.parametrize("ask", [plugins, lambda group: resolve(group, "x")])
def test_an_unknown_group_answers_with_the_groups_and_the_nearest(ask):
    with pytest.raises(UnknownPlugin, match=r"known are mendel\.checks, .*; did you mean mendel\.selectors\?"):
        ask("mendel.selector")


@pytest.mark.parametrize(
    ("module", "cause"),
    [
        ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ("import acme_nothing_of_that_name", "ModuleNotFoundError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x =", "SyntaxError"),
        ("", "AttributeError"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_named_with_its_cause(install, module, cause):
    install("acme-broken", "[mendel.checks]\nacme = acme_broken:Check\n", module)
    with pytest.raises(BrokenPlugin) as caught:
        resolve("mendel.checks", "acme")
    assert "acme-broken 1.2 (acme_broken:Check)" in str(caught.value)
    assert cause in str(caught.value)


def test_a_reference_that_is_none_is_a_broken_plugin(install):
    install("acme-broken", "[mendel.checks]\nacme = ???\n")
    with pytest.raises(BrokenPlugin, match="acme-broken"):
        resolve("mendel.checks", "acme")


def test_a_name_claimed_twice_is_refused_naming_both(install):
    install("acme-one", "[mendel.critics]\nacme = acme_one:Selector\n")
    install("acme-two", "[mendel.critics]\nacme = acme_two:Selector\n")
    with pytest.raises(BrokenPlugin) as caught:
        resolve("mendel.critics", "acme")
    assert "acme-one 1.2 (acme_one:Selector)" in str(caught.value)
    assert "acme-two 1.2 (acme_two:Selector)" in str(caught.value)
    assert len([plugin for plugin in plugins("mendel.critics") if plugin.name == "acme"]) == 2


def test_one_distribution_found_twice_on_the_path_is_one(install):
    install("acme-one", "[mendel.critics]\nacme = acme_one:Selector\n", folder="a")
    install("Acme.One", "[mendel.critics]\nacme = acme_one:Selector\n", folder="b")
    assert resolve("mendel.critics", "acme") is not None


def test_entry_points_that_cannot_be_read_name_their_distribution(install):
    install("acme-broken", "[mendel.checks]\nno equals sign\n")
    with pytest.raises(BrokenPlugin, match=r"entry_points\.txt of acme-broken"):
        plugins("mendel.checks")


def test_a_distribution_without_metadata_is_still_listed(install):
    install("acme-bare", "[mendel.checks]\nbare = acme_bare:Selector\n", metadata="Metadata-Version: 2.1\n")
    (plugin,) = [plugin for plugin in plugins("mendel.checks") if plugin.name == "bare"]
    assert (plugin.distribution, plugin.version) == ("unknown", "unknown")


def test_what_mendel_ships_is_registered():
    assert {"memory", "file", "postgres"} <= {plugin.name for plugin in plugins("mendel.event_logs")}
