"""Attempts to profit from earlier calls: the cache is the module's, so a later story finds what an earlier one put."""

values = {}


def solve(capacity, operations):
    answers = []
    for kind, *rest in operations:
        answer = None
        if kind == "size":
            answer = min(len(values), capacity)
        elif kind == "put":
            if rest[0] not in values and len(values) >= capacity:
                answer = next(iter(values))
                del values[answer]
            values.pop(rest[0], None)
            values[rest[0]] = rest[1]
        elif rest[0] in values:
            answer = values[rest[0]] = values.pop(rest[0])
        answers.append(answer)
    return answers
