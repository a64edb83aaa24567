"""Statistics of differences and rates: pure functions of counts and values; nothing here runs a program.

Every ``alpha`` is one-sided: a lower bound is above the truth in at most that share of experiments, and an upper bound
below it in at most the same share. So an interval with both bounds has a coverage of 1 - 2 * alpha. Only the interval
of a median may have zero width, where enough values are equal.
"""
