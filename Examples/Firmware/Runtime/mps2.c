// Arm's MPS2 board with the FPGA images AN386 (Cortex-M4) and AN500 (Cortex-M7), as QEMU emulates them.
// Sources: Arm DAI 0386 and DAI 0500 (memory map), Arm DDI 0479 (CMSDK's UART), Armv7-M Architecture Reference Manual
// (SysTick, CPACR, vectors), Arm's semihosting specification.
#include "bare.h"
#include "firmware.h"

extern char stack_top[];

enum {
  uart_data = 0x40004000, uart_state = 0x40004004, uart_control = 0x40004008, uart_divider = 0x40004010,
  systick_control = 0xE000E010, systick_reload = 0xE000E014, systick_value = 0xE000E018,
  coprocessor_access = 0xE000ED88,
  // The processor's clock: 25 MHz. With one nanosecond an instruction a tick is 40 instructions.
  nanoseconds_a_tick = 40,
};

static volatile uint32_t wraps;

static void on_systick(void) { wraps++; }

__attribute__((naked)) void reset(void) {
  // The floating-point unit is off after a reset: CP10 and CP11, full access.
  __asm__ volatile(
    "ldr r0, =0xE000ED88\n ldr r1, [r0]\n orr r1, r1, #0xF00000\n str r1, [r0]\n dsb\n isb\n b bare_start\n");
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
  stack_top, reset, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault, 0, 0, 0, 0,
  bare_fault, bare_fault, 0, bare_fault, on_systick,
};

void machine_start(void) {
  firmware_store(uart_divider, 16);
  firmware_store(uart_control, 1);
  firmware_store(systick_reload, 0xFFFFFF);
  firmware_store(systick_value, 0);
  // Enabled, with an interrupt, from the processor's clock.
  firmware_store(systick_control, 7);
}

void firmware_write(const char *bytes, size_t count) {
  for (; count > 0; count--) {
    while (firmware_load(uart_state) & 1) {}
    firmware_store(uart_data, (uint8_t)*bytes++);
  }
}

uint64_t firmware_nanoseconds(void) {
  uint32_t before, value;
  do {
    before = wraps;
    value = firmware_load(systick_value);
  } while (before != wraps);
  return ((uint64_t)before * 0x1000000 + (0xFFFFFF - value)) * nanoseconds_a_tick;
}

uint64_t firmware_instructions(void) { return firmware_nanoseconds(); }
uint32_t firmware_resolution(void) { return nanoseconds_a_tick; }

void firmware_exit(int status) {
  // SYS_EXIT_EXTENDED with ADP_Stopped_ApplicationExit.
  uint32_t block[2] = {0x20026, status};
  register uint32_t operation __asm__("r0") = 0x20;
  register void *argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
  for (;;) {}
}

// The compiler's support library refers to them; nothing unwinds here.
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
