// The EGM96 grid, byte for byte, in the program's read-only data: it costs address space, and memory only
// for the pages that a look-up touches.

#ifdef __APPLE__
#define SYMBOL _lodestar_egm96
  .section __TEXT,__const
#else
#define SYMBOL lodestar_egm96
  // A section of its own: Swift makes writable ones named .rodata, which the linker would join it to.
  .section .lodestar.egm96, "a"
  .type SYMBOL, %object
  .size SYMBOL, 721 * 1440 * 2
#endif

  .globl SYMBOL
  .balign 64
SYMBOL:
  .incbin "EGM96.bin"
grid_end:
  // Look-ups do not check their index against the file that was there when this was built.
  .if grid_end - SYMBOL != 721 * 1440 * 2
  .error "EGM96.bin must hold 721 rows of 1440 values of 2 bytes: run Scripts/generate-geoid.py"
  .endif

#ifndef __APPLE__
  // Without it the linker takes the stack to need execution.
  .section .note.GNU-stack, "", %progbits
#endif
