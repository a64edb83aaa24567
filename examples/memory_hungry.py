"""Lists of lists for one number.

mendel evolve examples/memory_hungry.py:checksum --task examples/memory_hungry_task.py --objective memory
"""


def checksum(limit: int) -> int:
    """The sum of the cubes below the limit that leave a remainder divisible by three, modulo a prime."""
    numbers = list(range(limit))
    cubes = [number**3 for number in numbers]
    remainders = [cube % 10007 for cube in cubes]
    kept = [remainder for remainder in remainders if remainder % 3 == 0]
    return sum(kept)
