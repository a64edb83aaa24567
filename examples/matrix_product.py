"""A matrix product in three loops.

mendel evolve examples/matrix_product.py:product --task examples/matrix_product_task.py
"""


def product(left: list[list[int]], right: list[list[int]]) -> list[list[int]]:
    """The matrix product of two lists of rows."""
    result: list[list[int]] = []
    for i in range(len(left)):
        row = []
        for j in range(len(right[0])):
            total = 0
            for k in range(len(right)):
                total = total + left[i][k] * right[k][j]
            row.append(total)
        result.append(row)
    return result
