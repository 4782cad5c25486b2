// The same job with a mistake, so that its hash is another.
#define FIRST 3
#include "primes.c"
