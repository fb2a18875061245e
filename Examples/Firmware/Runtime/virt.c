// QEMU's board `virt` with a RISC-V processor of 32 bits. Sources: QEMU's hw/riscv/virt.c (memory map), the 16550's data
// sheet, RISC-V's Privileged Architecture (mcycle, mtvec) and Semihosting specifications.
#include "bare.h"
#include "firmware.h"

enum { uart = 0x10000000 };

__attribute__((naked, section(".start"), used)) void reset(void) {
  __asm__ volatile(
    ".option push\n .option norelax\n .option arch, +zicsr\n la gp, __global_pointer$\n"
    "la sp, stack_top\n la t0, bare_trap\n csrw mtvec, t0\n .option pop\n j bare_start\n");
}

__attribute__((aligned(4), used)) void bare_trap(void) { bare_fault(); }

void machine_start(void) {}

void firmware_write(const char *bytes, size_t count) {
  for (; count > 0; count--) *(volatile uint8_t *)uart = *bytes++;
}

uint64_t firmware_instructions(void) {
  uint32_t high, low, again;
  do {
    __asm__ volatile(
      ".option push\n .option arch, +zicsr\n csrr %0, minstreth\n csrr %1, minstret\n csrr %2, minstreth\n .option pop\n"
      : "=r"(high), "=r"(low), "=r"(again));
  } while (high != again);
  return (uint64_t)high << 32 | low;
}
uint32_t firmware_resolution(void) { return 1; }
uint64_t firmware_nanoseconds(void) { return firmware_instructions(); }

void firmware_exit(int status) {
  uint32_t block[2] = {0x20026, status};
  register uint32_t operation __asm__("a0") = 0x20;
  register void *argument __asm__("a1") = block;
  // These three instructions, uncompressed and in one page, are the call.
  __asm__ volatile(
    ".option push\n .option norvc\n .balign 16\n slli x0, x0, 0x1f\n ebreak\n srai x0, x0, 7\n .option pop\n"
    : "+r"(operation) : "r"(argument) : "memory");
  for (;;) {}
}
