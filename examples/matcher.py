"""Wildcard matching by recursion.

mendel evolve examples/matcher.py:matches --task examples/matcher_task.py
"""


def matches(text: str, pattern: str) -> bool:
    """Whether the whole text matches the pattern: `?` is any character, `*` any number of characters."""
    if pattern == "":
        return text == ""
    if pattern[0] == "*":
        return matches(text, pattern[1:]) or (text != "" and matches(text[1:], pattern))
    if text == "":
        return False
    return (pattern[0] == "?" or pattern[0] == text[0]) and matches(text[1:], pattern[1:])
