#ifndef FIELD_SPLITTER_H
#define FIELD_SPLITTER_H
#include <stddef.h>
#include <stdint.h>

/// The most fields that one sentence is split into.
enum { FIELD_SPLITTER_MOST_FIELDS = 64 };

/// The counts of one run.
typedef struct {
  /// Sentences whose checksum holds.
  uint64_t sentences;
  /// Their fields, the address included.
  uint64_t fields;
} field_splitter_counts;

/// Checks the checksum of each sentence and finds the starts of its fields, without reading or storing
/// them: the least work of any parser of sentences.
/// - fields: room for `FIELD_SPLITTER_MOST_FIELDS`, reused for each sentence.
field_splitter_counts field_splitter_run(const uint8_t *bytes, size_t length, const uint8_t **fields);

#endif
