from mendel.ports.lint.members import public_members


def test_what_a_module_offers():
    assert "sqrt" in public_members("math")
    assert "deque" in public_members("collections")


def test_what_a_module_imported_for_itself_is_not_offered():
    assert not public_members("enum") & {"sys", "bltns"}
    assert not public_members("os.path") & {"os", "genericpath", "sys"}


def test_a_module_that_is_not_there_offers_nothing():
    assert public_members("no_such_module") == frozenset()
