// libyaml's parser by its binary interface, loaded at the first use: needs no headers to build and no library to start.
#ifndef LODESTAR_CYAML_H
#define LODESTAR_CYAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cyaml_parser;

enum cyaml_kind {
  CYAML_STREAM_START = 1,
  CYAML_STREAM_END,
  CYAML_DOCUMENT_START,
  CYAML_DOCUMENT_END,
  CYAML_ALIAS,
  CYAML_SCALAR,
  CYAML_SEQUENCE_START,
  CYAML_SEQUENCE_END,
  CYAML_MAPPING_START,
  CYAML_MAPPING_END,
};

/// A place in a text, both numbers from 0.
struct cyaml_place {
  size_t line, column;
};

/// One event; its texts are valid until the next one is read.
struct cyaml_event {
  enum cyaml_kind kind;
  struct cyaml_place place;
  /// The name that an alias refers to, or that is given to a value; NULL without one.
  const char *anchor;
  /// A scalar's text, UTF-8, which may contain zeros.
  const uint8_t *text;
  size_t count;
  /// A scalar without quotation marks.
  bool is_plain;
};

/// A fault of the text: the reason, a constant, and where it was found.
struct cyaml_fault {
  const char *reason;
  struct cyaml_place place;
};

/// A parser of a text, which must outlive it.
/// - library: the library's name, such as libyaml-0.so.2
/// - returns: NULL where the library is missing or lacks a used function, and without memory
struct cyaml_parser *cyaml_open(const char *library, const uint8_t *text, size_t count);

/// Reads the next event.
/// - returns: false at a fault, after which no more may be read
bool cyaml_next(struct cyaml_parser *parser, struct cyaml_event *event, struct cyaml_fault *fault);

/// Releases a parser.
void cyaml_close(struct cyaml_parser *parser);

#endif
