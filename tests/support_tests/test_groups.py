"""Which tests run in one process, where several processes run tests (`--dist loadgroup`)."""

import pytest


def group_of(request):
    """As what it is sent to a process; nothing where there is only one."""
    return request.node.nodeid.rpartition("@")[2] if getattr(request.config.option, "loadgroup", False) else None


def test_the_tests_of_a_file_are_a_group(request):
    assert group_of(request) in (None, "support_tests/test_groups.py")


@pytest.mark.xdist_group("another")
def test_a_test_may_name_another(request):
    assert group_of(request) in (None, "another")


@pytest.mark.long
def test_those_that_take_long_are_in_none(request):
    assert "@" not in request.node.nodeid
