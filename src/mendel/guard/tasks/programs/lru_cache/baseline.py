"""A cache that keeps its keys in a list, the one used last at the end."""


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.values = {}
        self.order = []

    def get(self, key):
        if key not in self.values:
            return None
        self.order.remove(key)
        self.order.append(key)
        return self.values[key]

    def put(self, key, value):
        gone = None
        if key in self.values:
            self.order.remove(key)
        elif len(self.order) == self.capacity:
            gone = self.order.pop(0)
            del self.values[gone]
        self.values[key] = value
        self.order.append(key)
        return gone

    def size(self):
        return len(self.order)


def solve(capacity, operations):
    cache = Cache(capacity)
    answers = []
    for operation in operations:
        if operation[0] == "put":
            answers.append(cache.put(operation[1], operation[2]))
        elif operation[0] == "get":
            answers.append(cache.get(operation[1]))
        else:
            answers.append(cache.size())
    return answers
