#include "CWebPage.h"

// page.S has the bytes, each from a symbol to the one with _end.
#define FILES(FILE)                                    \
  FILE(index, "index.html", "text/html; charset=utf-8") \
  FILE(style, "page.css", "text/css; charset=utf-8")    \
  FILE(theme, "theme.js", script)                       \
  FILE(page, "page.js", script)                         \
  FILE(link, "link.js", script)                         \
  FILE(figures, "figures.js", script)                   \
  FILE(drawings, "drawings.js", script)                 \
  FILE(deviation, "deviation.js", script)               \
  FILE(helm, "helm.js", script)                         \
  FILE(screen, "screen.js", script)                     \
  FILE(sphere, "sphere.js", script)                     \
  FILE(calibration, "calibration.js", script)           \
  FILE(icon, "icon.svg", "image/svg+xml")               \
  FILE(manifest, "manifest.webmanifest", "application/manifest+json")

#define script "text/javascript; charset=utf-8"
#define DECLARE(id, name, type) \
  extern const uint8_t lodestar_page_##id[], lodestar_page_##id##_end[];
FILES(DECLARE)

#define COUNT(id, name, type) +1
size_t lodestar_page_file_count(void) { return 0 FILES(COUNT); }

struct lodestar_page_file lodestar_page_file(size_t number) {
  // Not static: the difference of two symbols is no constant.
#define ENTRY(id, name, type) \
  {name, type, lodestar_page_##id, (size_t)(lodestar_page_##id##_end - lodestar_page_##id)},
  const struct lodestar_page_file files[] = {FILES(ENTRY)};
  return files[number];
}
