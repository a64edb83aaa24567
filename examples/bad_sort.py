"""A sort that everybody has written once: `mendel evolve examples/bad_sort.py:sort` finds a better one."""


def sort(items: list[int]) -> list[int]:
    """The items in ascending order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            # neighbours in the wrong order change places
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
