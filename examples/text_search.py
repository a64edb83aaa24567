"""Find a pattern in a text.

mendel evolve examples/text_search.py:occurrences --task examples/text_search_task.py
"""


def occurrences(text: str, pattern: str) -> list[int]:
    """Return every place at which the pattern begins, including overlapping ones."""
    found: list[int] = []
    for start in range(len(text) - len(pattern) + 1):
        matches = True
        for offset in range(len(pattern)):
            if text[start + offset] != pattern[offset]:
                matches = False
        if matches:
            found.append(start)
    return found
