"""Matrices for matrix_product.py: hints cannot say that their shapes fit."""

import random

Matrix = list[list[int]]

timing_size = 32
held_sizes = (40, 56)


def generate(rng: random.Random, size: int) -> tuple[Matrix, Matrix]:
    """Two matrices, about as many rows and columns as the size says, that can be multiplied."""
    rows, inner, columns = (rng.randint(max(1, size * 3 // 4), max(1, size)) for _ in range(3))
    return _matrix(rng, rows, inner), _matrix(rng, inner, columns)


def _matrix(rng: random.Random, rows: int, columns: int) -> Matrix:
    return [[rng.randint(-99, 99) for _ in range(columns)] for _ in range(rows)]


examples = [([], [[1]]), ([[2]], [[3]]), ([[1, 2]], [[3], [4]]), ([[0], [1]], [[5, 6, 7]])]
