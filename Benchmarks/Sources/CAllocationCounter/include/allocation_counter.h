#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H
#include <stdint.h>

/// The number of heap blocks that this process has allocated so far.
uint64_t allocation_count(void);

#endif
