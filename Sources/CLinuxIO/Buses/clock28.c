#define _GNU_SOURCE
#include "clinuxbus.h"

#include <errno.h>
#include <stddef.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/shm.h>

// The segment of ntpd's shared memory driver where time_t has 64 bits: on all 64-bit systems, and on 32-bit ones whose
// ntpd is built with 64-bit time. Sources: ntpd's "Shared Memory Driver" (driver 28), struct shmTime and operation mode 1;
// the ROS package ntpd_driver declares the same fields.
struct shared_clock {
  int32_t mode;
  volatile int32_t count;
  int64_t reference_seconds;
  int32_t reference_microseconds;
  int64_t system_seconds;
  int32_t system_microseconds;
  int32_t leap;
  int32_t precision;
  int32_t samples;
  volatile int32_t valid;
  uint32_t reference_nanoseconds;
  uint32_t system_nanoseconds;
  int32_t unused[8];
};

_Static_assert(sizeof(struct shared_clock) == 96, "the layout of struct shmTime");
_Static_assert(offsetof(struct shared_clock, valid) == 48, "the layout of struct shmTime");

// The key of unit 0: "NTP0".
static const key_t first_key = 0x4e545030;

void *linuxbus_shared_clock_open(int unit, int *error) {
  int segment =
      shmget(first_key + unit, sizeof(struct shared_clock), IPC_CREAT | (unit < 2 ? 0600 : 0666));
  void *address = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);
  if (address != (void *)-1) return address;
  *error = errno;
  return NULL;
}

void linuxbus_shared_clock_close(void *segment) { shmdt(segment); }

void linuxbus_shared_clock_store(void *segment, int64_t reference, int64_t system, int precision) {
  static const int64_t second = 1000000000;
  struct shared_clock *clock = segment;
  // Mode 1: a reader uses the values if the count is the same before and after it has copied them.
  clock->mode = 1;
  clock->valid = 0;
  // Any process with the segment's permission can write to it: the count may have every value.
  clock->count = (int32_t)((uint32_t)clock->count + 1);
  atomic_thread_fence(memory_order_seq_cst);
  clock->reference_seconds = reference / second;
  clock->reference_nanoseconds = (uint32_t)(reference % second);
  clock->reference_microseconds = (int32_t)(reference % second / 1000);
  clock->system_seconds = system / second;
  clock->system_nanoseconds = (uint32_t)(system % second);
  clock->system_microseconds = (int32_t)(system % second / 1000);
  // No warning: ntpd has the leap seconds of its file.
  clock->leap = 0;
  clock->precision = precision;
  atomic_thread_fence(memory_order_seq_cst);
  clock->count = (int32_t)((uint32_t)clock->count + 1);
  atomic_thread_fence(memory_order_seq_cst);
  clock->valid = 1;
}
