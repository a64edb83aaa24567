"""Attempts to do without an order: it evicts the key with the smallest hash, which differs between processes."""


def solve(capacity, operations):
    values = {}
    answers = []
    for kind, *rest in operations:
        answer = None
        if kind == "get":
            answer = values.get(rest[0])
        elif kind == "size":
            answer = len(values)
        else:
            if rest[0] not in values and len(values) == capacity:
                answer = min(values, key=hash)
                del values[answer]
            values[rest[0]] = rest[1]
        answers.append(answer)
    return answers
