"""What can be said about a difference, and how surely. Pure functions of what was counted; nothing here runs a program.

Every ``alpha`` is one-sided: a lower bound is above the truth in at most that share of experiments, and so is an upper
bound below it. An interval with both therefore covers with 1 - 2 * alpha. No interval has zero width, but for
that of a median which enough values are alike to pin down.
"""
