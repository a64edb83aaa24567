"""Several large lists for a single number.

mendel evolve examples/memory_hungry.py:checksum --task examples/memory_hungry_task.py --objective memory
"""


def checksum(limit: int) -> int:
    """Take the cubes of the numbers below the limit modulo a prime, and add those divisible by three."""
    numbers = list(range(limit))
    cubes = [number**3 for number in numbers]
    remainders = [cube % 10007 for cube in cubes]
    kept = [remainder for remainder in remainders if remainder % 3 == 0]
    return sum(kept)
