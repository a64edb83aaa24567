"""Source measured against an oracle: inputs, judging, suites, sizing, timing, repair, best-of-N, contending.

Shared by every domain that breeds source in some language, and independent of these domains: a domain defines its
source and how to run it; the bench decides whether it is right, how good it is, and when it may claim to be better.
"""
