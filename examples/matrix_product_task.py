"""Matrices for matrix_product.py: type hints cannot express that their shapes fit."""

import random

Matrix = list[list[int]]

timing_size = 32
held_sizes = (40, 56)


def generate(rng: random.Random, size: int) -> tuple[Matrix, Matrix]:
    """Return two matrices that can be multiplied, with about ``size`` rows and columns."""
    rows, inner, columns = (rng.randint(max(1, size * 3 // 4), max(1, size)) for _ in range(3))
    return _matrix(rng, rows, inner), _matrix(rng, inner, columns)


def _matrix(rng: random.Random, rows: int, columns: int) -> Matrix:
    return [[rng.randint(-99, 99) for _ in range(columns)] for _ in range(rows)]


examples = [([], [[1]]), ([[2]], [[3]]), ([[1, 2]], [[3], [4]]), ([[0], [1]], [[5, 6, 7]])]
