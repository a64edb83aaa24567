"""Computes a text's vector from its tokens: by a lookup table, or with BERT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mendel.adapters.embeddings.sentence_files import SentenceFiles
from mendel.contracts.errors import ConfigError

Tensors = Mapping[str, NDArray[np.generic]]
Row = NDArray[np.float64]
Matrix = NDArray[np.float64]

_TABLE_NAMES: Final = ("embeddings", "embedding.weight")  # of a table's tensor, by format
_MOST_TOKENS: Final = 512  # unless the model sets a lower limit
_MODULES: Final = frozenset({"Transformer", "Pooling", "Normalize"})
"""Supported processing steps; a model with others would give wrong vectors."""
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_STEP: Final = 0.3275911


class Encoder(Protocol):
    """Computes one row from the tokens of a text. ``exact``: the same on every machine, bit for bit."""

    dimension: int
    vocabulary: int
    most_tokens: int | None
    special_tokens: bool
    exact: bool

    def row(self, tokens: Sequence[int]) -> Row:
        """Return the text's row, of any length; zeros if the text is empty."""


def encoder_of(files: SentenceFiles, tensors: Tensors) -> Encoder:
    """Return the encoder for the model.

    Raises:
        ConfigError: the model is not supported.
    """
    name = next((name for name in _TABLE_NAMES if name in tensors), None)
    if name is not None:
        return TokenTable(tensors[name], tensors.get("mapping"), tensors.get("weights"))
    return Bert(files, tensors)


class TokenTable:
    """Adds up a row per token: models in the formats of model2vec and WordLlama."""

    most_tokens: int | None = None
    special_tokens = False
    exact = True

    def __init__(
        self,
        rows: NDArray[np.generic],
        places: NDArray[np.generic] | None = None,
        weights: NDArray[np.generic] | None = None,
    ) -> None:
        if rows.ndim != 2 or not rows.size:
            raise ConfigError(f"a token table must have rows and columns; its shape is {rows.shape}")
        self._rows = rows
        self._places = places.astype(np.int64) if places is not None else np.arange(len(rows))
        self._weights = weights.astype(np.float64) if weights is not None else None
        self.vocabulary, self.dimension = len(self._places), rows.shape[1]

    def row(self, tokens: Sequence[int]) -> Row:
        """Add the rows in token order and double precision, so that every machine gets the same sum."""
        known = np.array(tokens, dtype=np.int64)
        rows = self._rows[self._places[known]].astype(np.float64)
        if self._weights is not None:
            rows *= self._weights[known, np.newaxis]
        total: Row = np.zeros(self.dimension)
        for each in rows:
            total += each
        return total


@dataclass(frozen=True, slots=True)
class _Dense:
    weight: Matrix
    bias: Row

    def __call__(self, rows: Matrix) -> Matrix:
        return rows @ self.weight + self.bias


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: Row
    bias: Row
    epsilon: float

    def __call__(self, rows: Matrix) -> Matrix:
        centred = rows - rows.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + self.epsilon)
        normed: Matrix = centred / spread * self.weight + self.bias
        return normed


@dataclass(frozen=True, slots=True)
class _Layer:
    query: _Dense
    key: _Dense
    value: _Dense
    mixed: _Dense
    mixed_norm: _Norm
    wide: _Dense
    narrow: _Dense
    norm: _Norm
    heads: int

    def __call__(self, rows: Matrix) -> Matrix:
        attended = self.mixed_norm(self.mixed(self._attention(rows)) + rows)
        return self.norm(self.narrow(_gelu(self.wide(attended))) + attended)

    def _attention(self, rows: Matrix) -> Matrix:
        query, key, value = (self._split(dense(rows)) for dense in (self.query, self.key, self.value))
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))  # without overflow
        shares /= shares.sum(axis=-1, keepdims=True)
        joined: Matrix = (shares @ value).transpose(1, 0, 2).reshape(rows.shape)
        return joined

    def _split(self, rows: Matrix) -> Matrix:
        return rows.reshape(len(rows), self.heads, -1).transpose(1, 0, 2)


class Bert:
    """BERT with mean or first-token pooling: MiniLM, BGE, E5, GTE in the format of sentence-transformers.

    Computes in double precision, one text at a time, so that other texts have no influence. Matrix libraries that add
    in another order differ far below single precision; that no difference ever shows cannot be guaranteed.

    Raises:
        ConfigError: the model is not supported, or tensors are missing or have the wrong shape.
    """

    special_tokens = True
    exact = False

    def __init__(self, files: SentenceFiles, tensors: Tensors) -> None:
        config = files.settings.get("config.json", {})
        _look_at(config, files)
        read = _Tensors(tensors, float(_number(config, "layer_norm_eps", 1e-12)))
        heads, layers = int(_number(config, "num_attention_heads")), int(_number(config, "num_hidden_layers"))
        self._words = read.table("embeddings.word_embeddings.weight")
        self._places: Matrix = read.table("embeddings.position_embeddings.weight").astype(np.float64)
        self._kind: Row = read.table("embeddings.token_type_embeddings.weight").astype(np.float64)[0]
        self._norm = read.norm("embeddings.LayerNorm")
        self._layers = [read.layer(f"encoder.layer.{number}", heads) for number in range(layers)]
        self._first_only = _pools_first(files)
        self.vocabulary, self.dimension = self._words.shape
        told = _number(files.settings.get("sentence_bert_config.json", {}), "max_seq_length", _MOST_TOKENS)
        self.most_tokens: int | None = max(2, min(int(told), len(self._places)))  # 2: the special tokens

    def row(self, tokens: Sequence[int]) -> Row:
        """Return the row that the model's own library computes, to about six digits."""
        words = self._words[list(tokens)].astype(np.float64)
        rows = self._norm(words + self._places[: len(tokens)] + self._kind)
        for layer in self._layers:
            rows = layer(rows)
        pooled: Row = rows[0] if self._first_only else rows.mean(axis=0)
        return pooled


class _Tensors:
    """The tensors of a BERT by name, with or without the prefix that some files use."""

    def __init__(self, tensors: Tensors, epsilon: float) -> None:
        self._tensors = tensors
        self._epsilon = epsilon

    def table(self, name: str) -> NDArray[np.generic]:
        found = self._tensors.get(name, self._tensors.get(f"bert.{name}"))
        if found is None:
            raise ConfigError(f"the weights have no tensor {name}, so they are not those of a BERT")
        return found

    def dense(self, name: str) -> _Dense:
        weight = np.ascontiguousarray(self.table(f"{name}.weight").astype(np.float64).T)
        return _Dense(weight, self.table(f"{name}.bias").astype(np.float64))

    def norm(self, name: str) -> _Norm:
        weight, bias = (self.table(f"{name}.{part}").astype(np.float64) for part in ("weight", "bias"))
        return _Norm(weight, bias, self._epsilon)

    def layer(self, name: str, heads: int) -> _Layer:
        return _Layer(
            query=self.dense(f"{name}.attention.self.query"),
            key=self.dense(f"{name}.attention.self.key"),
            value=self.dense(f"{name}.attention.self.value"),
            mixed=self.dense(f"{name}.attention.output.dense"),
            mixed_norm=self.norm(f"{name}.attention.output.LayerNorm"),
            wide=self.dense(f"{name}.intermediate.dense"),
            narrow=self.dense(f"{name}.output.dense"),
            norm=self.norm(f"{name}.output.LayerNorm"),
            heads=heads,
        )


def _gelu(rows: Matrix) -> Matrix:
    """GELU, with the error function to seven digits (Abramowitz and Stegun, 7.1.26)."""
    scaled = np.abs(rows) * np.sqrt(0.5)
    step = 1.0 / (1.0 + _ERF_STEP * scaled)
    series = np.zeros_like(step)
    for factor in reversed(_ERF):
        series = (series + factor) * step
    error = np.copysign(1.0 - series * np.exp(-np.square(scaled)), rows)
    passed: Matrix = rows * 0.5 * (1.0 + error)
    return passed


def _look_at(config: Mapping[str, object], files: SentenceFiles) -> None:
    kind = config.get("model_type")
    further = [name for name in files.modules if name not in _MODULES]
    if kind != "bert" or config.get("hidden_act", "gelu") != "gelu" or further:
        raise ConfigError(
            f"{files.model} is a model of the kind {kind!r} {' '.join(further)}; supported are token tables and"
            " BERT with GELU; run other models on a server and configure it as a provider"
        )


def _number(config: Mapping[str, object], name: str, default: float | None = None) -> float:
    value = config.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ConfigError(f"the model's {name} is {value!r}, not a number")
    return value


def _pools_first(files: SentenceFiles) -> bool:
    pooling = files.settings.get("1_Pooling/config.json", {"pooling_mode_mean_tokens": True})
    first, mean = (bool(pooling.get(f"pooling_mode_{name}")) for name in ("cls_token", "mean_tokens"))
    if first == mean:
        raise ConfigError(f"{files.model} has unsupported pooling; supported are the mean and the first token")
    return first
