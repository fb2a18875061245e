#include "cyaml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/// Declarations: yaml.h of libyaml 0.2.5, whose binary interface is that of 0.1.1 (2008). Enumerations are ints.
struct mark {
  size_t index, line, column;
};

/// The begin of yaml_parser_t. The whole has 480 bytes with pointers of 64 bits; the library sets all of it.
struct state {
  int error;
  const char *problem;
  size_t problem_offset;
  int problem_value;
  struct mark problem_mark;
  const char *context;
  struct mark context_mark;
  char rest[1024];
};

struct event {
  int type;
  union {
    struct {
      unsigned char *anchor;
    } alias;
    struct {
      unsigned char *anchor, *tag, *value;
      size_t length;
      int plain_implicit, quoted_implicit, style;
    } scalar;
    struct {
      unsigned char *anchor, *tag;
      int implicit, style;
    } collection;
    struct {
      void *version, *tags_start, *tags_end;
      int implicit;
    } document_start;
  } data;
  struct mark start, end;
};

/// YAML_MEMORY_ERROR, YAML_PLAIN_SCALAR_STYLE.
enum { memory_error = 1, plain_style = 1 };

struct functions {
  int (*initialize)(struct state *);
  void (*delete)(struct state *);
  void (*set_input)(struct state *, const unsigned char *, size_t);
  int (*parse)(struct state *, struct event *);
  void (*delete_event)(struct event *);
};

struct cyaml_parser {
  struct functions f;
  struct state state;
  struct event event;
};

static bool load(const char *library, struct functions *f) {
  const struct {
    const char *name;
    void **slot;
  } wanted[] = {
      {"yaml_parser_initialize", (void **)&f->initialize},
      {"yaml_parser_delete", (void **)&f->delete},
      {"yaml_parser_set_input_string", (void **)&f->set_input},
      {"yaml_parser_parse", (void **)&f->parse},
      {"yaml_event_delete", (void **)&f->delete_event},
  };
  // Never unloaded: a board file may be read again.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
    *wanted[index].slot = dlsym(handle, wanted[index].name);
    if (*wanted[index].slot == NULL) return false;
  }
  return true;
}

struct cyaml_parser *cyaml_open(const char *library, const uint8_t *text, size_t count) {
  struct cyaml_parser *parser = calloc(1, sizeof *parser);
  if (parser == NULL) return NULL;
  if (!load(library, &parser->f) || !parser->f.initialize(&parser->state)) {
    free(parser);
    return NULL;
  }
  parser->f.set_input(&parser->state, text, count);
  return parser;
}

static struct cyaml_place place(struct mark mark) {
  return (struct cyaml_place){.line = mark.line, .column = mark.column};
}

bool cyaml_next(struct cyaml_parser *parser, struct cyaml_event *event, struct cyaml_fault *fault) {
  parser->f.delete_event(&parser->event);
  if (!parser->f.parse(&parser->state, &parser->event)) {
    const struct state *state = &parser->state;
    fault->reason = state->problem;
    if (fault->reason == NULL) fault->reason = state->error == memory_error ? "out of memory" : "unreadable";
    fault->place = place(state->problem_mark);
    return false;
  }
  const struct event *found = &parser->event;
  *event = (struct cyaml_event){.kind = (enum cyaml_kind)found->type, .place = place(found->start)};
  switch (event->kind) {
  case CYAML_ALIAS:
    event->anchor = (const char *)found->data.alias.anchor;
    break;
  case CYAML_SCALAR:
    event->anchor = (const char *)found->data.scalar.anchor;
    event->text = found->data.scalar.value;
    event->count = found->data.scalar.length;
    event->is_plain = found->data.scalar.style == plain_style;
    break;
  case CYAML_SEQUENCE_START:
  case CYAML_MAPPING_START:
    event->anchor = (const char *)found->data.collection.anchor;
    break;
  default:
    break;
  }
  return true;
}

void cyaml_close(struct cyaml_parser *parser) {
  parser->f.delete_event(&parser->event);
  parser->f.delete(&parser->state);
  free(parser);
}
