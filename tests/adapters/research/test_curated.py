"""The curated corpus: the contract, the ranking, and what an operator may put into it."""

import json
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.adapters.research.builtin import BUILT_IN
from mendel.adapters.research.corpus import load
from mendel.adapters.research.curated import CuratedRetriever, open_curated
from mendel.adapters.research.ranking import Ranking, words_of
from mendel.adapters.research.recorded import RecordedRetriever
from mendel.conformance.retriever import LIMITS, PASSAGES, QUERIES, RetrieverContract
from mendel.contracts.errors import ConfigError
from mendel.contracts.retrieval import Passage
from mendel.ports.retriever import DEFAULT_LIMIT, RetrieverContext


class TestMemoryRetriever(RetrieverContract):
    @pytest.fixture
    def open_retriever(self):
        return MemoryRetriever


class TestCuratedRetriever(RetrieverContract):
    @pytest.fixture
    def open_retriever(self):
        return CuratedRetriever


class TestCorpusFile(RetrieverContract):
    @pytest.fixture
    def open_retriever(self, tmp_path):
        def opened(passages):
            place = tmp_path / "corpus.jsonl"
            place.write_text("".join(each.model_dump_json() + "\n\n" for each in passages))
            return open_curated(RetrieverContext(corpus=place))

        return opened


class TestRecordedRetriever(RetrieverContract):
    @pytest.fixture
    async def open_retriever(self):
        answers = {passages: await recorded(passages) for passages in (PASSAGES, ())}
        return lambda passages: RecordedRetriever(answers[passages])


async def recorded(passages):
    """What a retriever answered, a dozen times over."""
    live = MemoryRetriever(passages)
    answers = [await live.retrieve(query, limit) for query in QUERIES for limit in {*LIMITS, DEFAULT_LIMIT}]
    return answers * 12


# --- the built-in corpus -------------------------------------------------------------------------------------------


@check_rows(
    ("query", "key"),
    [
        ("how can we keep diversity in the population", "diversity"),
        ("timing noise and the winner's curse", "noisy-fitness"),
        ("copying donor code from elsewhere in the program", "plastic-surgery"),
        ("bandit over mutation operators", "operators"),
        ("an archive of elites by behaviour", "quality-diversity"),
        ("why evolved programs grow", "bloat"),
        ("test without an oracle", "metamorphic"),
    ],
)
async def test_the_built_in_corpus_knows_its_field(query, key):
    found = await open_curated(RetrieverContext()).retrieve(query, 2)
    assert f"mendel:corpus/{key}" in [passage.uri for passage in found.passages]
    assert found.provider == "curated"


def test_its_passages_are_short_and_told_apart():
    assert len(BUILT_IN) >= 15
    assert len({each.uri for each in BUILT_IN}) == len({each.text for each in BUILT_IN}) == len(BUILT_IN)
    assert all(100 < len(each.text) < 600 for each in BUILT_IN)


async def test_words_that_stand_everywhere_find_nothing():
    assert (await CuratedRetriever().retrieve("what is the, and who are they?")).passages == ()


# --- the ranking ---------------------------------------------------------------------------------------------------


def slowly(texts, query):
    """BM25 as it is written down, one text after the other."""
    words = [words_of(text) for text in texts]
    mean = sum(map(len, words)) / len(words)
    scores = []
    for text in words:
        score = 0.0
        for word in set(words_of(query)):
            holders = sum(word in each for each in words)
            times = text.count(word)
            rarity = log(1 + (len(words) - holders + 0.5) / (holders + 0.5))
            score += rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * len(text) / mean)) if times else 0.0
        scores.append(score)
    return scores


WORDS = st.lists(st.sampled_from(["pea", "bean", "root", "leaf", "Peas", "the"]), min_size=1, max_size=12).map(" ".join)


@given(st.lists(WORDS.filter(words_of), min_size=1, max_size=8), WORDS)
def test_it_ranks_as_the_formula_says(texts, query):
    scores = slowly(texts, query)
    found = Ranking(texts).best(query, 100)
    assert sorted(found) == [place for place, score in enumerate(scores) if score > 0]
    ranked = [scores[place] for place in found]
    assert ranked == pytest.approx(sorted(ranked, reverse=True))


def test_of_equals_the_earlier_comes_first():
    assert Ranking(["pea", "bean", "pea", "pea"]).best("peas", 2) == [0, 2]
    assert Ranking([]).best("peas", 2) == []
    assert Ranking(["", "the"]).best("peas", 2) == []


# --- what an operator may put into it ------------------------------------------------------------------------------


async def test_a_folder_is_a_corpus(tmp_path):
    (tmp_path / "b.md").write_text(
        "# Beans\n\nThey climb.\n\n" + "Poles help beans climb. " * 60 + "\n\nThe end of beans."
    )
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "a.txt").write_text("Roots\n\nRoots drink.")
    (tmp_path / "c.jsonl").write_text(json.dumps({"source": "s", "title": "Leaves", "text": "Leaves breathe."}))
    (tmp_path / "ignored.png").write_bytes(b"\xff")
    found = load(tmp_path)
    assert [(each.source, each.title) for each in found] == [
        ("b.md", "Beans"),
        ("s", "Leaves"),
        ("deeper/a.txt", "Roots"),
    ]
    answer = await open_curated(RetrieverContext(corpus=tmp_path)).retrieve("what breathes? leaves")
    assert answer.passages[0].text == "Leaves breathe."


def test_a_long_text_is_cut_at_its_paragraphs(tmp_path):
    paragraphs = [f"{number} " + "word " * 100 for number in range(40)]
    (tmp_path / "long.txt").write_text("\n\n".join(paragraphs) + "\n\n" + "x" * 50_000)
    found = load(tmp_path / "long.txt")
    assert "".join("".join(each.text.split()) for each in found) == "".join("".join(paragraphs).split()) + "x" * 50_000
    assert all(len(each.text) <= 20_000 for each in found)
    assert all(each.text[0].isdigit() for each in found[:10])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2"),
        ("[]", "line 2"),
        ('{"title": "t"}', "source"),
        ('{"source": "s", "title": "t", "text": "x", "secret": 1}', "secret"),
        ('{"source": "s", "title": "t", "text": 5}', "text"),
        ('{"source": "s", "title": "t", "text": "a\\u0000b"}', "NUL"),
    ],
)
def test_a_line_that_is_no_passage_is_named(tmp_path, line, complaint):
    good = Passage(source="s", title="t", text="x").model_dump_json()
    (tmp_path / "corpus.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(ConfigError, match=complaint):
        load(tmp_path / "corpus.jsonl")


def test_a_corpus_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\xfa")
    for place in ("nowhere", "bytes.txt"):
        with pytest.raises(ConfigError, match=place):
            load(tmp_path / place)
