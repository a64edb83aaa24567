"""A typical slow bubble sort; `mendel evolve examples/bad_sort.py:sort` finds a faster one."""


def sort(items: list[int]) -> list[int]:
    """The items in ascending order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            # swap neighbours in the wrong order
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
