"""Source measured against an oracle: inputs, judging, suites, sizing, timing, repair, best-of-N, contending.

What a domain breeds that is source in whatever language stands here and knows no domain: a domain says what its source
is and how it is run, and the bench says whether it is right, how good it is, and when it may claim to be better.
"""
