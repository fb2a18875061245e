#include "cqrcode.h"

#include <dlfcn.h>
#include <stddef.h>

/// Declarations: qrencode.h of libqrencode 4.1.1. Enumerations are ints.
struct qr_code {
  int version;
  int width;
  unsigned char *data;
};
typedef struct qr_code *(*encode_function)(const char *, int, int, int, int);
typedef void (*free_function)(struct qr_code *);

/// QR_ECLEVEL_L: a screen is not damaged. QR_MODE_8. A module's lowest bit: dark.
enum { level_low = 0, mode_bytes = 2, dark = 1 };

enum cqrcode_outcome cqrcode_encode(
    const char *name, const char *text, uint8_t *modules, int capacity, int *width) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return CQRCODE_NO_LIBRARY;
  encode_function encode = (encode_function)dlsym(library, "QRcode_encodeString");
  free_function release = (free_function)dlsym(library, "QRcode_free");
  enum cqrcode_outcome outcome = CQRCODE_NO_LIBRARY;
  if (encode != NULL && release != NULL) {
    struct qr_code *code = encode(text, 0, level_low, mode_bytes, 1);
    outcome = CQRCODE_TOO_LONG;
    if (code != NULL) {
      int count = code->width * code->width;
      if (count <= capacity) {
        for (int index = 0; index < count; index++) modules[index] = code->data[index] & dark;
        *width = code->width;
        outcome = CQRCODE_DONE;
      }
      release(code);
    }
  }
  dlclose(library);
  return outcome;
}
