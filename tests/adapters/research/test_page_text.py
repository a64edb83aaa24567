"""HTML as text: what a reader sees, and pages that are made to be slow."""

from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.research.page_text import page_text

MARKS = st.sampled_from(
    [
        *(
            "<",
            ">",
            "</",
            "/>",
            "<!--",
            "-->",
            "<![CDATA[",
            "<![",
            "]]>",
            "<!",
            "<?",
            "&",
            "&#",
            "&#x",
            ";",
            "'",
            '"',
            "=",
        ),
        *(
            "<script>",
            "</script>",
            "<style",
            "</style>",
            "<pre>",
            "</pre>",
            "<p",
            "<br/>",
            "<td>",
            "peas",
            " ",
            "\n",
            "9",
        ),
    ]
)


def read(html):
    return page_text(html, 10_000)


@check_rows(
    ("html", "text"),
    [
        ("", ""),
        ("peas", "peas"),
        ("<p>one<p>two", "one\ntwo"),
        ("a  \n\t b", "a b"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("a<br>b", "a\nb"),
        ("<ul><li>a</li><li>b</li></ul>", "a\n\nb"),
        ("<tr><td>a</td><td>b</td></tr>", "a\t\tb"),
        ("<pre>def f():\n    return 1</pre>", "def f():\n    return 1"),
        ("&lt;b&gt; &amp; &#65; &eacute; &nosuch;", "<b> & A \xe9 &nosuch;"),
        ("a<!-- hidden -->b", "ab"),
        ("a<!-- <script> -->b", "ab"),
        ("a<!---->b<!-->c-->d", "abc-->d"),
        ("a<script>x < 1 && '</p>'</script >b", "ab"),
        ("a<SCRIPT src=x>x</ScRiPt>b", "ab"),
        ("a<style>p{}</style>b<svg><text>x</text></svg>c", "abc"),
        ("a<scripture>b</scripture>", "ab"),
        ("a<script>never closed", "a"),
        ("a<!-- never closed", "a"),
        ("a < b > c", "a < b > c"),
        ("<a href='http://peas.example/'>peas</a>", "peas"),
        ("<img alt='x' src=y>", ""),
        ("<![if IE]>peas<![endif]>", "peas"),
        ("<!DOCTYPE html><html><head><title>T</title></head><body>B</body></html>", "T\nB"),
    ],
)
def test_it_reads_what_a_reader_sees(html, text):
    assert read(html) == text


@check_rows(
    "html", ["peas<![unknown[x]]>beans", "peas<p>&#" + "9" * 5_000 + ";beans", "peas<![CDATA[ x", "peas<!ELEMENT x"]
)
def test_where_the_parser_gives_up_it_has_what_stood_before(html):
    assert read(html).startswith("peas")


HOSTILE = {
    "open tags": "<a " * 600_000,
    "open ends": "</" * 900_000,
    "open comments": "<!-" * 600_000,
    "comments": "<!--" * 500_000,
    "scripts": "<script>" * 250_000,
    "script ends": "<script></script" * 120_000,
    "entities": "&" * 1_900_000,
    "numbers": "&#" * 900_000,
    "attributes": "<a " + "b=c " * 450_000,
    "quotes": "<a b='" + "x" * 1_900_000,
    "instructions": "<?" * 900_000,
    "sections": "<![" * 600_000,
    "depth": "<div>" * 380_000,
    "angles": "<" * 1_900_000,
    "spaces": "<p" + " " * 1_900_000,
    "equals": "<a " + "=" * 1_900_000,
    "slashes": "<a" + "/" * 1_900_000,
}


@check_rows("name", HOSTILE)
def test_a_page_of_two_megabytes_that_is_made_to_be_slow_is_read(name):
    """Time that grows with the square of the page would be hours."""
    assert page_text("peas<p>" + HOSTILE[name], 20_000).startswith("peas")


def test_it_stops_when_it_has_enough():
    assert 1_000 <= len(page_text("<p>peas</p>" * 200_000, 1_000)) < 40_000


@given(st.lists(MARKS | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_is_a_page(html):
    assert isinstance(read(html), str)


@given(st.lists(st.text(alphabet="abc \n", min_size=1), max_size=8))
def test_plain_words_stay(words):
    html = "".join(f"<p>{word}</p>" for word in words)
    assert read(html).split() == " ".join(words).split()
