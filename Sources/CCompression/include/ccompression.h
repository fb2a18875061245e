// libzstd and liblz4 by their binary interfaces, loaded at the first use: needs no headers to build and no library to start.
#ifndef LODESTAR_CCOMPRESSION_H
#define LODESTAR_CCOMPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum ccompression_outcome {
  CCOMPRESSION_DONE,
  /// The library is missing or lacks a used function.
  CCOMPRESSION_NO_LIBRARY,
  /// The bytes are not a frame of this format, or are damaged.
  CCOMPRESSION_DAMAGED,
  /// The frame has more bytes than `capacity`.
  CCOMPRESSION_TOO_LARGE,
  /// No memory.
  CCOMPRESSION_NO_MEMORY,
};

/// True if libzstd can be loaded by this name, such as libzstd.so.1.
bool ccompression_has_zstd(const char *name);

/// The greatest size of a zstd frame of so many bytes.
size_t ccompression_zstd_bound(size_t size);

/// Compresses bytes into one zstd frame.
/// - capacity: the bytes that `target` has, at least `ccompression_zstd_bound(size)`
/// - written: receives the size of the frame
enum ccompression_outcome ccompression_zstd_compress(
    const char *name, int level, const void *source, size_t size, void *target, size_t capacity, size_t *written);

/// Decompresses zstd frames, one after the other.
/// - capacity: the bytes that `target` has
/// - written: receives the number of bytes
enum ccompression_outcome ccompression_zstd_decompress(
    const char *name, const void *source, size_t size, void *target, size_t capacity, size_t *written);

/// Decompresses one LZ4 frame, by liblz4.so.1 or another name.
enum ccompression_outcome ccompression_lz4_decompress(
    const char *name, const void *source, size_t size, void *target, size_t capacity, size_t *written);

#endif
