"""From a model's answer to changed sources: text work over files of any language, without a model and without a guess.

::

    from mendel.breeding.patches.answers import apply_answer

    outcome = apply_answer(answer, {"sort.py": text}, "replace")
    if isinstance(outcome, NotApplicable):
        ...  # outcome.complaints are what a model needs to answer better

Three forms of answer, one module each: ``unified`` (a diff), ``blocks`` (search and replace), ``whole`` (files
rewritten). Each reads strictly, writes what it reads, and applies all of an answer or nothing of it. An answer is
data: whatever stands in it, the worst that comes of it are complaints. What a program may change within a file
is not looked at here; its domain does that.
"""
