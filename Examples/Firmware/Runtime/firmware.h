// What the programs need from the machine below them: microcontroller, Linux process or build machine.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The recorded trial: rows of nine floats (rad/s, m/s2, microtesla along x, y, z), and how many a second.
static inline const float *firmware_trial(void) { extern const float trial_begin[]; return trial_begin; }
static inline double firmware_trial_hertz(void) { extern const double trial_hertz; return trial_hertz; }
static inline size_t firmware_trial_floats(void) {
  extern const float trial_begin[], trial_end[];
  return trial_end - trial_begin;
}
// Official test values of the World Magnetic Model: rows of seven doubles (year, km above the ellipsoid, latitude,
// longitude, declination, inclination in degrees, strength in nT).
static inline const double *firmware_official_field(void) { extern const double wmm_begin[]; return wmm_begin; }
static inline size_t firmware_official_field_doubles(void) {
  extern const double wmm_begin[], wmm_end[];
  return wmm_end - wmm_begin;
}
// Logs of receivers, each behind its length: four bytes, the lowest first.
static inline const void *firmware_logs(void) { extern const char logs_begin[]; return logs_begin; }
static inline size_t firmware_logs_bytes(void) {
  extern const char logs_begin[], logs_end[];
  return logs_end - logs_begin;
}

// Prints bytes on the console.
void firmware_write(const char *bytes, size_t count);
// Instructions executed since the start, by QEMU's clock of one nanosecond an instruction; 0: not counted here.
uint64_t firmware_instructions(void);
// Instructions by which two calls of firmware_instructions differ at least.
uint32_t firmware_resolution(void);
// Bytes of the stack that were used so far; 0: not known here.
uint32_t firmware_stack(void);
// Most bytes of the heap in use at a time, and blocks allocated so far; 0: not known here.
uint32_t firmware_heap(void);
uint32_t firmware_allocations(void);
// Nanoseconds since the start.
uint64_t firmware_nanoseconds(void);
// Ends the program.
void firmware_exit(int status);

// A register of a device.
static inline void firmware_store(uintptr_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
static inline uint32_t firmware_load(uintptr_t address) { return *(volatile uint32_t *)address; }
