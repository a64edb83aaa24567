"""Lines that take one more word as long as they can."""


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
