#include "field_splitter.h"
#include <string.h>

static int hex_digit(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  return -1;
}

/// The number of fields; 0 where the line is no sentence or its checksum is missing or wrong.
static size_t split(const uint8_t *at, const uint8_t *end, const uint8_t **fields) {
  if (at == end || (*at != '$' && *at != '!')) return 0;
  at += 1;
  size_t count = 0;
  uint8_t sum = 0;
  fields[count++] = at;
  for (; at < end && *at != '*'; at += 1) {
    sum ^= *at;
    if (*at != ',') continue;
    if (count == FIELD_SPLITTER_MOST_FIELDS) return 0;
    fields[count++] = at + 1;
  }
  if (end - at < 3) return 0;
  int high = hex_digit(at[1]), low = hex_digit(at[2]);
  return high >= 0 && low >= 0 && sum == (high << 4 | low) ? count : 0;
}

field_splitter_counts field_splitter_run(const uint8_t *bytes, size_t length, const uint8_t **fields) {
  field_splitter_counts counts = {0, 0};
  const uint8_t *end = bytes + length;
  while (bytes < end) {
    const uint8_t *line = memchr(bytes, '\n', (size_t)(end - bytes));
    if (line == NULL) line = end;
    size_t count = split(bytes, line, fields);
    if (count > 0) {
      counts.sentences += 1;
      counts.fields += count;
    }
    bytes = line < end ? line + 1 : end;
  }
  return counts;
}
