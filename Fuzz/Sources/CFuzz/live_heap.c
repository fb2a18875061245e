// Keeps count of the bytes that are allocated, by standing before glibc's own functions, which it calls
// by the names that glibc exports for this purpose. Where the address sanitizer stands there already, its
// count is taken.
#include "cfuzz.h"
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

void fuzz_finding(void) { abort(); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef HAS_ADDRESS_SANITIZER

size_t __sanitizer_get_current_allocated_bytes(void);

int64_t live_heap_bytes(void) { return (int64_t)__sanitizer_get_current_allocated_bytes(); }

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_int_fast64_t live;

int64_t live_heap_bytes(void) { return atomic_load_explicit(&live, memory_order_relaxed); }

static int64_t size_of(void *block) { return block == NULL ? 0 : (int64_t)malloc_usable_size(block); }

static void add(int64_t bytes) { atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed); }

static void *counted(void *block) {
  add(size_of(block));
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
  int64_t before = size_of(block);
  void *result = __libc_realloc(block, size);
  // Without room the old block stays allocated; size 0 frees it.
  if (result != NULL || size == 0) add(size_of(result) - before);
  return result;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *result = counted(__libc_memalign(alignment, size));
  if (result == NULL) return ENOMEM;
  *block = result;
  return 0;
}

void free(void *block) {
  add(-size_of(block));
  __libc_free(block);
}

#endif
