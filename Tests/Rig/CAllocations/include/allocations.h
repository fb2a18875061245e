#ifndef LODESTAR_ALLOCATIONS_H
#define LODESTAR_ALLOCATIONS_H
#include <stdint.h>

/// How many blocks of the heap this process has asked for so far.
uint64_t allocations(void);

#endif
