"""Lines in one pass; but a line that a word would fill to the last character is taken for too full."""


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
