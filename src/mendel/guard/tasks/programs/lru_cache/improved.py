"""A cache in one dictionary: a used key is removed and inserted again, so the first key is the oldest."""


def solve(capacity, operations):
    values = {}
    answers = []
    for operation in operations:
        kind = operation[0]
        answer = None
        if kind == "get":
            key = operation[1]
            if key in values:
                answer = values[key] = values.pop(key)
        elif kind == "put":
            key = operation[1]
            if key in values:
                del values[key]
            elif len(values) == capacity:
                answer = next(iter(values))
                del values[answer]
            values[key] = operation[2]
        else:
            answer = len(values)
        answers.append(answer)
    return answers
