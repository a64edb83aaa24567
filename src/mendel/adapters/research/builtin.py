"""The built-in corpus: background on breeding programs and ideas, in our own words."""

from __future__ import annotations

from typing import Final

from mendel.contracts.retrieval import Passage

SOURCE: Final = "mendel.builtin"


def _passage(key: str, title: str, text: str) -> Passage:
    return Passage(source=SOURCE, title=title, text=text, uri=f"mendel:corpus/{key}")


BUILT_IN: Final[tuple[Passage, ...]] = (
    _passage(
        "evolutionary-search",
        "Evolutionary search",
        "A population of candidates is varied and selected again and again. Variation proposes, selection disposes:"
        " nothing needs a gradient, only a way to say which of two candidates is better. It pays where trying a"
        " candidate is cheap compared with thinking one out, and where good solutions have good neighbours.",
    ),
    _passage(
        "genetic-improvement",
        "Genetic improvement of software",
        "Existing programs are the starting point: small edits of real code are tried, and those are kept that"
        " preserve behaviour and improve a measured property such as running time, memory or energy. Most random edits"
        " of a program change nothing that its tests can see, so the measurement, not the edit, is the scarce"
        " resource.",
    ),
    _passage(
        "program-repair",
        "Automated program repair",
        "Generate-and-validate repair looks for an edit that makes failing tests pass and keeps the passing ones"
        " passing. Fault localisation says where to edit, donor code from the same project says what to insert. A"
        " patch that merely satisfies weak tests overfits them; held-out tests are what tells a fix from a trick.",
    ),
    _passage(
        "plastic-surgery",
        "Donor code: the plastic surgery hypothesis",
        "Much of what a change needs already stands elsewhere in the same program. Statements and expressions copied"
        " from the neighbourhood therefore make better raw material for mutation than syntax drawn at random, because"
        " names, types and idioms already fit.",
    ),
    _passage(
        "crossover",
        "Crossover and building blocks",
        "Two parents are recombined in the hope that the child has the strengths of both. It helps where parts"
        " contribute independently and keep their meaning when they are moved. On tightly coupled code naive crossover"
        " is mostly a large mutation; aligning the parents by structure or by behaviour makes it useful.",
    ),
    _passage(
        "selection-pressure",
        "Selection pressure and tournaments",
        "A tournament draws a few candidates and takes the best of them: its size sets the pressure. Strong pressure"
        " exploits early and risks premature convergence; weak pressure explores and wastes evaluations. Ranks are"
        " safer than raw fitness when scales differ or one outlier dominates.",
    ),
    _passage(
        "lexicase",
        "Lexicase selection",
        "Parents are filtered by one test case after another in random order instead of by a total. Specialists that"
        " solve rare, hard cases survive although their average is poor, which keeps partial solutions that can later"
        " be combined. Its epsilon form tolerates small differences in noisy or continuous scores.",
    ),
    _passage(
        "diversity",
        "Diversity, novelty and premature convergence",
        "A population of near copies stops searching. Novelty search rewards behaviour unlike what has been seen;"
        " niches and islands let groups evolve apart and exchange members rarely; age layers protect newcomers."
        " Measuring distance in behaviour rather than in text avoids counting cosmetic edits as novelty.",
    ),
    _passage(
        "quality-diversity",
        "Quality diversity and MAP-Elites",
        "An archive keeps the best candidate for each cell of a grid of behaviour descriptors. The result is a map of"
        " what is possible, not one winner, and the cells are stepping stones: the road to a good solution often leads"
        " through candidates that were good at something else.",
    ),
    _passage(
        "neutrality",
        "Neutral mutations and robustness",
        "A large share of single edits leaves a program's tested behaviour as it was. Neutral drift lets a population"
        " wander through programs that work equally well until an improvement is one step away, so discarding all"
        " neutral children can make search harder rather than cheaper.",
    ),
    _passage(
        "bloat",
        "Bloat and parsimony",
        "Evolved programs tend to grow code that does nothing for fitness but shields them from harmful change."
        " Limits on size, a preference for the smaller of equals, and a final pass that removes every edit that is not"
        " needed keep results readable and edits reviewable.",
    ),
    _passage(
        "noisy-fitness",
        "Noisy fitness and repeated measurement",
        "Timings vary from run to run, and the best of many noisy scores is partly the luckiest: the winner's curse."
        " Paired, interleaved comparisons against the parent, repeated samples with a sequential stop, and a fresh"
        " measurement of the winner keep luck from being selected.",
    ),
    _passage(
        "held-out",
        "Held-out evaluation and overfitting to the judge",
        "Whatever is selected on is exploited: search finds the gaps in tests, rubrics and judges. A claim of"
        " progress needs cases and judges that took no part in selection, used rarely, with the number of looks"
        " accounted for; otherwise improvement on the measure is no improvement at all.",
    ),
    _passage(
        "metamorphic",
        "Metamorphic testing",
        "Where the right answer is unknown, relations between answers can still be checked: permuting the input of a"
        " sort changes nothing, doubling the weights doubles the sum. Such relations reject wrong candidates without"
        " an oracle and are hard for a search to satisfy by accident.",
    ),
    _passage(
        "operators",
        "Adaptive choice of operators",
        "Which mutation pays changes as search goes on. Operators are treated as arms of a bandit: each is credited"
        " with the gain of its children per unit of cost, recent gains count more, and none is starved altogether, so"
        " that one that is useless today can be found useful tomorrow.",
    ),
    _passage(
        "model-mutation",
        "Language models as mutation operators",
        "A model that is shown the parent, other good candidates and what failed can propose larger and more"
        " purposeful edits than random change. It repeats itself, edits what it was told to leave alone and sounds"
        " certain when wrong, so its proposals are validated, deduplicated and measured like all others.",
    ),
)
"""Short passages, so that several fit into a prompt."""
