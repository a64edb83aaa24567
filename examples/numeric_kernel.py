"""The autocorrelation of a signal.

mendel evolve examples/numeric_kernel.py:autocorrelation --task examples/numeric_kernel_task.py --allow numpy
"""


def autocorrelation(signal: list[float], lags: int) -> list[float]:
    """Return, for each lag below ``lags``, the mean product of deviations from the mean at that distance."""
    result: list[float] = []
    for lag in range(lags):
        mean = sum(signal) / len(signal)
        centred = [value - mean for value in signal]
        total = 0.0
        for i in range(len(centred) - lag):
            total += centred[i] * centred[i + lag]
        result.append(total / len(signal))
    return result
