#ifndef LODESTAR_ALLOCATIONS_H
#define LODESTAR_ALLOCATIONS_H
#include <stdint.h>

/// The number of heap blocks that this process has allocated so far.
uint64_t allocations(void);

#endif
