"""Sentence models of a few hundred numbers, drawn and written in the formats that real ones have."""

from __future__ import annotations

import json
import string
from math import erf, exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ("def", "area", "width", "height", "total", "return", "peas", "were", "garden", "the", "of", "by")
VOCABULARY = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *string.ascii_lowercase, *(f"##{c}" for c in "aeinrst"), "=")
SIZE, HEADS, WIDE, PLACES, LAYERS = 12, 3, 20, 24, 2


def drawn(*shape: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.5, shape).astype(np.float32)


def write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    numbers = {token: number for number, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    )
    tokenizer.enable_padding(length=128)
    tokenizer.enable_truncation(16)
    tokenizer.save(str(folder / "tokenizer.json"))


def write_table(folder: Path, seed: int = 1, name: str = "embeddings", **more: np.ndarray) -> Path:
    """A table of tokens, as model2vec writes it."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    save_file({name: drawn(len(VOCABULARY), SIZE, seed=seed), **more}, str(folder / "model.safetensors"))
    return folder


def bert_tensors(seed: int = 2) -> dict[str, np.ndarray]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), SIZE),
        "embeddings.position_embeddings.weight": (PLACES, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        **_pair("embeddings.LayerNorm", SIZE),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= _pair(f"{name}.attention.{part}", SIZE, SIZE)
        shapes |= _pair(f"{name}.attention.output.LayerNorm", SIZE) | _pair(f"{name}.output.LayerNorm", SIZE)
        shapes |= _pair(f"{name}.intermediate.dense", WIDE, SIZE) | _pair(f"{name}.output.dense", SIZE, WIDE)
    return {name: drawn(*shape, seed=seed + number) for number, (name, shape) in enumerate(shapes.items())}


def _pair(name: str, size: int, *more: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (size, *more), f"{name}.bias": (size,)}


def write_bert(folder: Path, *, pooling: str = "mean_tokens", prefix: str = "", **config: Any) -> Path:
    """A BERT, as sentence-transformers writes it."""
    from safetensors.numpy import save_file

    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    save_file({prefix + name: value for name, value in bert_tensors().items()}, str(folder / "model.safetensors"))
    told = {"model_type": "bert", "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps({**told, **config}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 20}))
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({f"pooling_mode_{pooling}": True}))
    return folder


def slowly(tokens: list[int], pooling: str = "mean_tokens") -> list[float]:
    """BERT in plain Python, one number after the other."""
    tensors = {name: value.astype(float).tolist() for name, value in bert_tensors().items()}
    words, places = tensors["embeddings.word_embeddings.weight"], tensors["embeddings.position_embeddings.weight"]
    kind = tensors["embeddings.token_type_embeddings.weight"][0]
    rows = [[sum(parts) for parts in zip(words[t], places[n], kind, strict=True)] for n, t in enumerate(tokens)]
    rows = _normed(rows, tensors, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        mixed = _dense(_attended(rows, tensors, f"{name}.attention.self"), tensors, f"{name}.attention.output.dense")
        rows = _normed(_added(mixed, rows), tensors, f"{name}.attention.output.LayerNorm")
        wide = [
            [x * (1 + erf(x / sqrt(2))) / 2 for x in row] for row in _dense(rows, tensors, f"{name}.intermediate.dense")
        ]
        rows = _normed(_added(_dense(wide, tensors, f"{name}.output.dense"), rows), tensors, f"{name}.output.LayerNorm")
    pooled = rows[0] if pooling == "cls_token" else [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    length = sqrt(sum(x * x for x in pooled))
    return [x / length for x in pooled]


def _dense(rows, tensors, name):
    weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
    return [[sum(map(float.__mul__, line, row)) + b for line, b in zip(weight, bias, strict=True)] for row in rows]


def _added(one, other):
    return [list(map(float.__add__, a, b)) for a, b in zip(one, other, strict=True)]


def _normed(rows, tensors, name):
    weight, bias, out = tensors[f"{name}.weight"], tensors[f"{name}.bias"], []
    for row in rows:
        mean = sum(row) / len(row)
        spread = sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        out.append([(x - mean) / spread * w + b for x, w, b in zip(row, weight, bias, strict=True)])
    return out


def _attended(rows, tensors, name):
    query, key, value = (_dense(rows, tensors, f"{name}.{part}") for part in ("query", "key", "value"))
    each = SIZE // HEADS
    out = [[0.0] * SIZE for _ in rows]
    for head in range(HEADS):
        part = slice(head * each, (head + 1) * each)
        for n, asked in enumerate(query):
            scores = [exp(sum(map(float.__mul__, asked[part], other[part])) / sqrt(each)) for other in key]
            for share, told in zip(scores, value, strict=True):
                for place in range(part.start, part.stop):
                    out[n][place] += share / sum(scores) * told[place]
    return out
