// libqrencode by its binary interface, loaded at the first use: needs no headers to build and no library to start.
#ifndef LODESTAR_CQRCODE_H
#define LODESTAR_CQRCODE_H

#include <stdbool.h>
#include <stdint.h>

enum cqrcode_outcome {
  CQRCODE_DONE,
  /// The library is missing or lacks a used function.
  CQRCODE_NO_LIBRARY,
  /// The text does not fit into a code of this size.
  CQRCODE_TOO_LONG,
};

/// Encodes a text of bytes at the lowest level of error correction.
/// - name: the library's name, such as libqrencode.so.4
/// - modules: receives width * width bytes, row by row, 1 for a dark module
/// - capacity: the bytes that `modules` has
/// - width: receives the width in modules
enum cqrcode_outcome cqrcode_encode(
    const char *name, const char *text, uint8_t *modules, int capacity, int *width);

#endif
