#include "ccompression.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/// Declarations: zstd.h of zstd 1.5.4 and lz4frame.h of lz4 1.9.4. Both binary interfaces are stable (.so.1).
struct zstd_input {
  const void *source;
  size_t size;
  size_t position;
};
struct zstd_output {
  void *target;
  size_t size;
  size_t position;
};
struct functions {
  void *(*create_compressor)(void);
  size_t (*compress)(void *, void *, size_t, const void *, size_t, int);
  size_t (*free_compressor)(void *);
  void *(*create_stream)(void);
  size_t (*free_stream)(void *);
  size_t (*decompress)(void *, struct zstd_output *, struct zstd_input *);
  unsigned (*is_error)(size_t);
};
struct lz4_functions {
  size_t (*create)(void **, unsigned);
  size_t (*release)(void *);
  size_t (*decompress)(void *, void *, size_t *, const void *, size_t *, const void *);
  unsigned (*is_error)(size_t);
};

/// LZ4F_VERSION
enum { lz4_version = 100 };

struct symbol {
  const char *name;
  void **slot;
};

/// A library stays loaded until the process ends.
static bool find(const char *library, const struct symbol *symbols, size_t count) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    *symbols[i].slot = dlsym(handle, symbols[i].name);
    if (*symbols[i].slot == NULL) {
      dlclose(handle);
      return false;
    }
  }
  return true;
}

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

static bool load_zstd(const char *name, struct functions *f) {
  const struct symbol symbols[] = {
      {"ZSTD_createCCtx", (void **)&f->create_compressor}, {"ZSTD_compressCCtx", (void **)&f->compress},
      {"ZSTD_freeCCtx", (void **)&f->free_compressor},     {"ZSTD_createDStream", (void **)&f->create_stream},
      {"ZSTD_freeDStream", (void **)&f->free_stream},      {"ZSTD_decompressStream", (void **)&f->decompress},
      {"ZSTD_isError", (void **)&f->is_error},
  };
  return find(name, symbols, COUNT(symbols));
}

bool ccompression_has_zstd(const char *name) {
  struct functions f;
  return load_zstd(name, &f);
}

size_t ccompression_zstd_bound(size_t size) {
  // ZSTD_COMPRESSBOUND
  return size + (size >> 8) + (size < (128 << 10) ? ((128 << 10) - size) >> 11 : 0);
}

// A context for each thread, whose tables are made once: a recorder compresses a small chunk each second.
static pthread_key_t compressor_key;
static pthread_once_t compressor_once = PTHREAD_ONCE_INIT;
// Of the library, the same in each thread.
static size_t (*_Atomic free_compressor)(void *);
static void release_compressor(void *context) { atomic_load(&free_compressor)(context); }
static void make_compressor_key(void) { pthread_key_create(&compressor_key, release_compressor); }

enum ccompression_outcome ccompression_zstd_compress(
    const char *name, int level, const void *source, size_t size, void *target, size_t capacity, size_t *written) {
  struct functions f;
  if (!load_zstd(name, &f)) return CCOMPRESSION_NO_LIBRARY;
  atomic_store(&free_compressor, f.free_compressor);
  pthread_once(&compressor_once, make_compressor_key);
  void *context = pthread_getspecific(compressor_key);
  if (context == NULL) {
    context = f.create_compressor();
    if (context == NULL) return CCOMPRESSION_NO_MEMORY;
    pthread_setspecific(compressor_key, context);
  }
  size_t result = f.compress(context, target, capacity, source, size, level);
  if (f.is_error(result)) return CCOMPRESSION_TOO_LARGE;
  *written = result;
  return CCOMPRESSION_DONE;
}

enum ccompression_outcome ccompression_zstd_decompress(
    const char *name, const void *source, size_t size, void *target, size_t capacity, size_t *written) {
  struct functions f;
  if (!load_zstd(name, &f)) return CCOMPRESSION_NO_LIBRARY;
  void *stream = f.create_stream();
  if (stream == NULL) return CCOMPRESSION_NO_MEMORY;
  struct zstd_input input = {source, size, 0};
  struct zstd_output output = {target, capacity, 0};
  enum ccompression_outcome outcome = CCOMPRESSION_DONE;
  size_t rest = 1;
  while (input.position < input.size || rest != 0) {
    size_t before = input.position + output.position;
    rest = f.decompress(stream, &output, &input);
    if (f.is_error(rest)) {
      outcome = CCOMPRESSION_DAMAGED;
      break;
    }
    if (rest == 0 && input.position == input.size) break;
    // No progress: the frame is cut, or has no more room.
    if (input.position + output.position == before) {
      outcome = output.position == output.size ? CCOMPRESSION_TOO_LARGE : CCOMPRESSION_DAMAGED;
      break;
    }
  }
  f.free_stream(stream);
  *written = output.position;
  return outcome;
}

enum ccompression_outcome ccompression_lz4_decompress(
    const char *name, const void *source, size_t size, void *target, size_t capacity, size_t *written) {
  struct lz4_functions f;
  const struct symbol symbols[] = {
      {"LZ4F_createDecompressionContext", (void **)&f.create},
      {"LZ4F_freeDecompressionContext", (void **)&f.release},
      {"LZ4F_decompress", (void **)&f.decompress},
      {"LZ4F_isError", (void **)&f.is_error},
  };
  if (!find(name, symbols, COUNT(symbols))) return CCOMPRESSION_NO_LIBRARY;
  void *context = NULL;
  if (f.is_error(f.create(&context, lz4_version))) return CCOMPRESSION_NO_MEMORY;
  size_t from = 0, to = 0, rest = 1;
  enum ccompression_outcome outcome = CCOMPRESSION_DONE;
  while (rest != 0) {
    size_t room = capacity - to, length = size - from;
    rest = f.decompress(context, (char *)target + to, &room, (const char *)source + from, &length, NULL);
    if (f.is_error(rest)) {
      outcome = CCOMPRESSION_DAMAGED;
      break;
    }
    to += room;
    from += length;
    if (rest != 0 && room == 0 && length == 0) {
      outcome = to == capacity ? CCOMPRESSION_TOO_LARGE : CCOMPRESSION_DAMAGED;
      break;
    }
  }
  f.release(context);
  *written = to;
  return outcome;
}
