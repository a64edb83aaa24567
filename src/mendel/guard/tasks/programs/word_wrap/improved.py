"""Lines in one pass: lengths are added up, and a line is joined when it is full."""


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
