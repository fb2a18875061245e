// Stands before glibc's own functions, which it calls by the names that glibc exports for this purpose. One
// thread allocates.
#include "allocations.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static uint64_t count;

uint64_t allocations(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
