#define _GNU_SOURCE
#include "clinuxbus.h"

#include <errno.h>
#include <sys/timex.h>
#include <time.h>

static const uint64_t second = 1000000000;

static uint64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

uint64_t linuxbus_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }

uint64_t linuxbus_realtime(void) { return read_clock(CLOCK_REALTIME); }

long linuxbus_realtime_error(void) {
  struct timex state = {.modes = 0};
  int status = adjtimex(&state);
  if (status < 0) return -errno;
  return status == TIME_ERROR || (state.status & STA_UNSYNC) ? -ENODATA : state.maxerror;
}

static struct timespec timespec_of(uint64_t nanoseconds) {
  return (struct timespec){
      .tv_sec = (time_t)(nanoseconds / second), .tv_nsec = (long)(nanoseconds % second)};
}

void linuxbus_sleep_until(uint64_t deadline) {
  struct timespec t = timespec_of(deadline);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

int linuxbus_poll(struct pollfd *descriptors, unsigned count, uint64_t deadline) {
  for (;;) {
    uint64_t now = linuxbus_monotonic();
    struct timespec left = timespec_of(deadline > now ? deadline - now : 0);
    int ready = ppoll(descriptors, count, &left, NULL);
    if (ready > 0) return ready;
    if (ready < 0 && errno != EINTR) return -errno;
    if (ready == 0 && linuxbus_monotonic() >= deadline) return 0;
  }
}
