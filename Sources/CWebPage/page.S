// The files of the page, byte for byte, in the program's read-only data. files.c has the same list.

#ifdef __APPLE__
#define SYMBOL(name) _lodestar_page_##name
  .section __TEXT,__const
#else
#define SYMBOL(name) lodestar_page_##name
  // A section of its own: Swift makes writable ones named .rodata, which the linker would join it to.
  .section .lodestar.page, "a"
#endif

  .macro page_file start, end, name
  .globl \start
  .globl \end
  .balign 16
\start:
  .incbin "\name"
\end:
  .byte 0
  .endm

  page_file SYMBOL(index), SYMBOL(index_end), "index.html"
  page_file SYMBOL(style), SYMBOL(style_end), "page.css"
  page_file SYMBOL(theme), SYMBOL(theme_end), "theme.js"
  page_file SYMBOL(page), SYMBOL(page_end), "page.js"
  page_file SYMBOL(link), SYMBOL(link_end), "link.js"
  page_file SYMBOL(figures), SYMBOL(figures_end), "figures.js"
  page_file SYMBOL(drawings), SYMBOL(drawings_end), "drawings.js"
  page_file SYMBOL(deviation), SYMBOL(deviation_end), "deviation.js"
  page_file SYMBOL(helm), SYMBOL(helm_end), "helm.js"
  page_file SYMBOL(screen), SYMBOL(screen_end), "screen.js"
  page_file SYMBOL(sphere), SYMBOL(sphere_end), "sphere.js"
  page_file SYMBOL(calibration), SYMBOL(calibration_end), "calibration.js"
  page_file SYMBOL(icon), SYMBOL(icon_end), "icon.svg"
  page_file SYMBOL(manifest), SYMBOL(manifest_end), "manifest.webmanifest"

#ifndef __APPLE__
  // Without it the linker takes the stack to need execution.
  .section .note.GNU-stack, "", %progbits
#endif
