"""A cache in an ordered dictionary, but a key that is put again keeps its old position in the order."""

from collections import OrderedDict


def solve(capacity, operations):
    values = OrderedDict()
    answers = []
    for operation in operations:
        answer = None
        if operation[0] == "get":
            if operation[1] in values:
                values.move_to_end(operation[1])
                answer = values[operation[1]]
        elif operation[0] == "put":
            if operation[1] not in values and len(values) == capacity:
                answer = values.popitem(last=False)[0]
            values[operation[1]] = operation[2]
        else:
            answer = len(values)
        answers.append(answer)
    return answers
