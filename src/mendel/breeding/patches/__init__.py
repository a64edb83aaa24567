"""Apply a model's answer to sources: pure text processing for files of any language, without guessing.

::

    from mendel.breeding.patches.answers import apply_answer

    outcome = apply_answer(answer, {"sort.py": text}, "replace")
    if isinstance(outcome, NotApplicable):
        ...  # outcome.complaints tell a model how to correct the answer

There are three forms of answer, one module each: ``unified`` (a diff), ``blocks`` (search and replace), ``whole``
(rewritten files). Each parses strictly, can write what it parses, and applies an answer completely or not at all. An
answer is data: whatever it contains, the worst result is complaints. Which parts of a file may change is not checked
here, but by the domain.
"""
