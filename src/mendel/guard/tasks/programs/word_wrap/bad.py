"""Builds lines in one pass, but treats a line as too long when a word would fill it exactly."""


def solve(text, width):
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) < width:
            line += " " + word
        else:
            if line:
                lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines
