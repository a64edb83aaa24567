"""Builds lines in one pass: it adds up lengths, and joins a line when it is full."""


def solve(text, width):
    lines = []
    line = []
    used = -1
    for word in text.split():
        if line and used + 1 + len(word) > width:
            lines.append(" ".join(line))
            line = []
            used = -1
        line.append(word)
        used += 1 + len(word)
    if line:
        lines.append(" ".join(line))
    return lines
