// The gazetteer, byte for byte, in the program's read-only data: it costs address space, and memory only for
// the pages that a request touches.

#ifdef __APPLE__
#define SYMBOL _lodestar_gazetteer
#define END _lodestar_gazetteer_end
  .section __TEXT,__const
#else
#define SYMBOL lodestar_gazetteer
#define END lodestar_gazetteer_end
  // A section of its own: Swift makes writable ones named .rodata, which the linker would join it to.
  .section .lodestar.gazetteer, "a"
  .type SYMBOL, %object
  .type END, %object
#endif

  .globl SYMBOL
  .globl END
  .balign 64
SYMBOL:
  .incbin "Gazetteer.sqlite"
END:
  .byte 0

#ifndef __APPLE__
  // Without it the linker takes the stack to need execution.
  .section .note.GNU-stack, "", %progbits
#endif
