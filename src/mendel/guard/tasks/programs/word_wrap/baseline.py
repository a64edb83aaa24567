"""Adds words to a line for as long as they fit."""


def solve(text, width):
    words = text.split()
    lines = []
    while words:
        count = 1
        while count < len(words) and len(" ".join(words[: count + 1])) <= width:
            count += 1
        lines.append(" ".join(words[:count]))
        words = words[count:]
    return lines
