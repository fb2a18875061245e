// Sets the system clock of one process forward: LODESTAR_CLOCK_STEP seconds, LODESTAR_CLOCK_STEP_AFTER seconds after its first
// reading of the monotonic clock. Used by Tests/Recording/faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static double begin, step, after;
  if (real == NULL) {
    struct timespec now;
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    real(CLOCK_MONOTONIC, &now);
    begin = now.tv_sec + now.tv_nsec * 1e-9;
    step = getenv("LODESTAR_CLOCK_STEP") ? atof(getenv("LODESTAR_CLOCK_STEP")) : 0;
    after = getenv("LODESTAR_CLOCK_STEP_AFTER") ? atof(getenv("LODESTAR_CLOCK_STEP_AFTER")) : 0;
  }
  int result = real(clock, time);
  if (clock == CLOCK_REALTIME && result == 0) {
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    if (now.tv_sec + now.tv_nsec * 1e-9 - begin > after) time->tv_sec += (time_t)step;
  }
  return result;
}
