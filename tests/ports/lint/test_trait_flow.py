from tests.ports.lint.cases import found, trait
from tests.support.rows import check_rows

SYNTAX = "AST_SYNTAX_FORBIDDEN"


@check_rows(
    ("body", "line", "column"),
    [
        ("try:\n    pass\nexcept:\n    pass", 5, 9),
        ("try:\n    pass\nfinally:\n    return", 6, 13),
        ("while True:\n    try:\n        pass\n    finally:\n        continue", 7, 17),
        ("while True:\n    try:\n        pass\n    finally:\n        if 1:\n            break", 8, 21),
    ],
)
def test_what_would_swallow_the_stop(body, line, column):
    assert found(trait(body), "trait") == [(SYNTAX, line, column)]


@check_rows(
    "body",
    [
        "try:\n    pass\nfinally:\n    for x in [1]:\n        break",
        "try:\n    pass\nfinally:\n    def f():\n        return 1",
        "try:\n    return\nexcept Exception:\n    pass",
    ],
)
def test_what_does_not(body):
    assert found(trait(body), "trait") == []


def test_a_trait_cannot_name_what_stops_it():
    assert found(trait("try:\n    pass\nexcept BaseException:\n    pass"), "trait") == [("AST_BANNED_CALL", 5, 16)]
