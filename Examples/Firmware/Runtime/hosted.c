// The machine below the programs is a process of Linux.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "firmware.h"

void program(void);

void firmware_write(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written <= 0) _exit(74);
    bytes += written;
    count -= written;
  }
}

uint64_t firmware_instructions(void) { return 0; }
uint32_t firmware_resolution(void) { return 0; }
uint32_t firmware_stack(void) { return 0; }
uint32_t firmware_heap(void) { return 0; }
uint32_t firmware_allocations(void) { return 0; }

uint64_t firmware_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void firmware_exit(int status) { exit(status); }

// Embedded Swift's hash of strings starts from it; the hosted library brings its own.
__attribute__((weak)) void arc4random_buf(void *bytes, size_t count) { for (char *p = bytes; count--;) *p++ = 0; }

int main(void) {
  program();
  return 0;
}
