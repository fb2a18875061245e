// The outlines of land and water, byte for byte, as in gazetteer.S.

#ifdef __APPLE__
#define SYMBOL _lodestar_outlines
#define END _lodestar_outlines_end
  .section __TEXT,__const
#else
#define SYMBOL lodestar_outlines
#define END lodestar_outlines_end
  .section .lodestar.outlines, "a"
  .type SYMBOL, %object
  .type END, %object
#endif

  .globl SYMBOL
  .globl END
  .balign 64
SYMBOL:
  .incbin "Outlines.bin"
END:
  .byte 0

#ifndef __APPLE__
  // Without it the linker takes the stack to need execution.
  .section .note.GNU-stack, "", %progbits
#endif
