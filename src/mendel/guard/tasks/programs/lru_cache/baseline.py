"""A cache that stores the time of each key's last use, and searches all keys for the oldest."""


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.values = {}
        self.used = {}
        self.now = 0

    def use(self, key):
        self.now += 1
        self.used[key] = self.now

    def get(self, key):
        if key not in self.values:
            return None
        self.use(key)
        return self.values[key]

    def put(self, key, value):
        gone = None
        if key not in self.values and len(self.values) == self.capacity:
            gone = min(self.used, key=lambda other: self.used[other])
            del self.values[gone]
            del self.used[gone]
        self.values[key] = value
        self.use(key)
        return gone

    def size(self):
        return len(self.values)


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
