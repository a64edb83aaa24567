"""What a model writes is compared, by its looks, with what is known, before it costs an evaluation."""

from __future__ import annotations

import asyncio

import pytest

from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.bench.records import SourceContent
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.models import SAME_LOOKS, ProgramTraits, payload
from mendel.kernel.dossier import Dossier, Near
from mendel.kernel.moves import Drop, Examine

LINES = "\n".join(f"    total += {number} * a[{number}] ** {number % 7}" for number in range(60))
LARGE = f"def f(a):\n    total = 0\n{LINES}\n    return total\n"


def born(text: str, **traits):
    return payload(ProgramTraits(files={"x.py": text}, operator="model_rewrite", **traits))


def routed(similarity: float, same: float):
    dossier = Dossier(
        subject_id="candidate-2",
        phase="verifying",
        generation=0,
        seed=1,
        traits=born(LARGE, same_looks=same),
        content=payload(SourceContent(fingerprint="a")),
        near=Near("candidate-1", similarity),
    )
    (move,) = Programs().route(dossier)
    return move


def test_who_looks_the_same_is_dropped_by_name_and_who_does_not_is_examined():
    dropped = routed(0.9999, SAME_LOOKS)
    assert isinstance(dropped, Drop)
    assert dropped.reason.code == "near_duplicate"
    assert "candidate-1" in dropped.reason.message
    assert isinstance(routed(0.9, SAME_LOOKS), Examine)
    assert isinstance(routed(1.0, 0.0), Examine)


@pytest.mark.parametrize("sign", ["-", "1 +"])
def test_one_sign_of_two_kilobytes_is_seen(sign):
    other = LARGE.replace("return total", f"return {sign} total")
    one, another = asyncio.run(NgramEmbedder().embed([LARGE, other]))
    assert 0.99 < one.similarity(another) < SAME_LOOKS
