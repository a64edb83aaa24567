from tests.support.rows import check_rows

from mendel.contracts.lint import LintCode
from mendel.ports.lint.sources import SHOWN, Place, Source, shown, text_complaint


def complaint(text, most_bytes=1000, most_nesting=3):
    return text_complaint(Source(text), most_bytes, most_nesting)


@check_rows(
    ("text", "line", "byte_column", "place"),
    [
        ("x = 1", 1, 4, Place(1, 5)),
        ("'ä', x", 1, 6, Place(1, 6)),
        ("'\N{PEACOCK}', x", 1, 8, Place(1, 6)),
        ("a\r\nbc\rd\ne\f\vf", 2, 1, Place(2, 2)),
        ("a\r\nbc\rd\ne\f\vf", 4, 3, Place(4, 4)),
        ("x", 9, 9, Place(1, 2)),
        ("x", 0, -3, Place(1, 1)),
        ("", 1, 0, Place(1, 1)),
        ("'ä'", 1, 2, Place(1, 2)),
    ],
)
def test_a_place_is_where_an_editor_shows_it(text, line, byte_column, place):
    assert Source(text).place(line, byte_column) == place


def test_the_place_of_a_character():
    assert Source("ab\ncd").at(4) == Place(2, 2)


@check_rows("text", ["", "x", "é" * 500, "((()))", "'((((('", '"(((((" # ((((', "'''((((\n(((("])
def test_what_may_be_parsed(text):
    assert complaint(text) is None


@check_rows(
    ("text", "code", "place"),
    [
        ("x" * 1001, LintCode.SOURCE_TOO_LARGE, Place(1, 1)),
        ("é" * 501, LintCode.SOURCE_TOO_LARGE, Place(1, 1)),
        ("\ud800" * 501, LintCode.SOURCE_TOO_LARGE, Place(1, 1)),
        ("ab\nc\0", LintCode.SOURCE_BAD_TEXT, Place(2, 2)),
        ("ab\n'\udfff'", LintCode.SOURCE_BAD_TEXT, Place(2, 2)),
        ("\ufeffx", LintCode.SOURCE_BAD_TEXT, Place(1, 1)),
        ("# coding: latin-1", LintCode.SOURCE_BAD_TEXT, Place(1, 11)),
        ("#!/x\n# vim: fileencoding=utf-7 :", LintCode.SOURCE_BAD_TEXT, Place(2, 21)),
        ("\r# coding=utf-16", LintCode.SOURCE_BAD_TEXT, Place(2, 10)),
        ("x = 1\n[({[1]})]", LintCode.SOURCE_TOO_DEEP, Place(2, 4)),
        ("'a' (((('('", LintCode.SOURCE_TOO_DEEP, Place(1, 8)),
    ],
)
def test_what_no_parser_is_handed(text, code, place):
    found = complaint(text)
    assert (found.code, found.place) == (code, place)


def test_an_encoding_counts_only_where_python_looks_for_it():
    assert complaint("x = 1\ny = 2\n# coding: latin-1") is None


def test_a_message_quotes_briefly_and_printably():
    assert shown("ab\n\x1b[0m\ud800") == "ab\\n\\x1b[0m\\ud800"
    assert shown("x" * 99) == "x" * SHOWN + "…"
