# Counts the primes among 60 numbers; MENDEL_SEED determines the first one.
#
#     mendel evolve examples/text_programs/primes.awk --run "awk -f examples/text_programs/primes.awk" --seconds 20

BEGIN {
    first = 300 + ENVIRON["MENDEL_SEED"] % 300
    # mendel: evolve
    for (n = first; n < first + 60; n++) {
        prime = 1
        for (d = 2; d < n; d++) {
            tried[n] = tried[n] " " d
            if (n % d == 0) prime = 0
        }
        count += prime
    }
    # mendel: end
    print first, count
}
