// The web page of the HTTP server, in the program's read-only data.
#ifndef LODESTAR_CWEBPAGE_H
#define LODESTAR_CWEBPAGE_H

#include <stddef.h>
#include <stdint.h>

/// One file of the page.
struct lodestar_page_file {
  /// Its name, which is its path below the server's root: "index.html", "page.css".
  const char *_Nonnull name;
  /// Its Content-Type.
  const char *_Nonnull type;
  const uint8_t *_Nonnull bytes;
  size_t size;
};

/// How many files the page has.
size_t lodestar_page_file_count(void);
/// The file of that number, which is below the count. Number 0 is "index.html", which is also the answer to "/".
struct lodestar_page_file lodestar_page_file(size_t number);

#endif
