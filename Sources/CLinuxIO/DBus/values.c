#include "library.h"

#include <stddef.h>
#include <string.h>

bool cdbus_read(void *message, struct cdbus_iterator *iterator) {
  return cdbus_library.message_iter_init(message, iterator) != 0;
}

int cdbus_type(struct cdbus_iterator *iterator) {
  return cdbus_library.message_iter_get_arg_type(iterator);
}

int cdbus_element_type(struct cdbus_iterator *iterator) {
  return cdbus_library.message_iter_get_element_type(iterator);
}

bool cdbus_next(struct cdbus_iterator *iterator) {
  return cdbus_library.message_iter_next(iterator) != 0;
}

void cdbus_enter(struct cdbus_iterator *iterator, struct cdbus_iterator *inner) {
  cdbus_library.message_iter_recurse(iterator, inner);
}

bool cdbus_signature(struct cdbus_iterator *iterator, char *signature, unsigned size) {
  char *text = cdbus_library.message_iter_get_signature(iterator);
  if (text == NULL) return false;
  size_t count = strlen(text);
  bool fits = count < size;
  if (fits) memcpy(signature, text, count + 1);
  cdbus_library.free(text);
  return fits;
}

// The union for reading and writing a basic value.
union basic {
  uint8_t byte;
  cdbus_bool boolean;
  int16_t int16;
  uint16_t uint16;
  int32_t int32;
  uint32_t uint32;
  uint64_t uint64;
  const char *text;
};

uint64_t cdbus_number(struct cdbus_iterator *iterator) {
  union basic value = {.uint64 = 0};
  int type = cdbus_type(iterator);
  cdbus_library.message_iter_get_basic(iterator, &value);
  switch (type) {
  case 'y': return value.byte;
  case 'b': return value.boolean != 0;
  case 'n': return (uint64_t)(int64_t)value.int16;
  case 'q': return value.uint16;
  case 'i': return (uint64_t)(int64_t)value.int32;
  case 'u': return value.uint32;
  default: return value.uint64;
  }
}

const char *cdbus_text(struct cdbus_iterator *iterator) {
  union basic value = {.text = NULL};
  cdbus_library.message_iter_get_basic(iterator, &value);
  return value.text;
}

const uint8_t *cdbus_bytes(struct cdbus_iterator *inner, int *count) {
  const uint8_t *bytes = NULL;
  *count = 0;
  cdbus_library.message_iter_get_fixed_array(inner, &bytes, count);
  return bytes;
}

void cdbus_append(void *message, struct cdbus_iterator *iterator) {
  cdbus_library.message_iter_init_append(message, iterator);
}

bool cdbus_append_number(struct cdbus_iterator *iterator, int type, uint64_t bits) {
  union basic value = {.uint64 = 0};
  switch (type) {
  case 'y': value.byte = (uint8_t)bits; break;
  case 'b': value.boolean = bits != 0; break;
  case 'n':
  case 'q': value.uint16 = (uint16_t)bits; break;
  case 'i':
  case 'u': value.uint32 = (uint32_t)bits; break;
  case 'x':
  case 't':
  case 'd': value.uint64 = bits; break;
  default: return false;
  }
  return cdbus_library.message_iter_append_basic(iterator, type, &value) != 0;
}

bool cdbus_append_text(struct cdbus_iterator *iterator, int type, const char *text) {
  bool valid = type == 's'   ? cdbus_library.validate_utf8(text, NULL)
               : type == 'o' ? cdbus_library.validate_path(text, NULL)
               : type == 'g' ? cdbus_library.signature_validate(text, NULL)
                             : false;
  return valid && cdbus_library.message_iter_append_basic(iterator, type, &text) != 0;
}

bool cdbus_append_bytes(struct cdbus_iterator *iterator, const uint8_t *bytes, int count) {
  return cdbus_library.message_iter_append_fixed_array(iterator, 'y', &bytes, count) != 0;
}

bool cdbus_begin(
    struct cdbus_iterator *iterator, int type, const char *signature, struct cdbus_iterator *inner) {
  return cdbus_library.message_iter_open_container(iterator, type, signature, inner) != 0;
}

bool cdbus_end(struct cdbus_iterator *iterator, struct cdbus_iterator *inner) {
  return cdbus_library.message_iter_close_container(iterator, inner) != 0;
}

void cdbus_abandon(struct cdbus_iterator *iterator, struct cdbus_iterator *inner) {
  cdbus_library.message_iter_abandon_container(iterator, inner);
}

bool cdbus_is_single_type(const char *signature) {
  return cdbus_library.signature_validate_single(signature, NULL) != 0;
}
