// libgpiod 2.x by its binary interface (libgpiod.so.3, Debian 13's libgpiod3).
#include "gpio.h"

#include <dlfcn.h>
#include <errno.h>

struct chip;
struct info;
struct settings;
struct line_config;
struct request_config;
struct request;
struct buffer;
struct event;
enum { direction_input = 2, direction_output = 3 };
enum { edge_none = 1, edge_rising = 2, edge_falling = 3, edge_both = 4 };
enum { event_rising = 1 };

static struct {
  struct chip *(*chip_open)(const char *);
  void (*chip_close)(struct chip *);
  int (*offset_from_name)(struct chip *, const char *);
  struct info *(*line_info)(struct chip *, unsigned);
  const char *(*info_consumer)(struct info *);
  void (*info_free)(struct info *);
  struct settings *(*settings_new)(void);
  void (*settings_free)(struct settings *);
  int (*set_direction)(struct settings *, int);
  int (*set_edge)(struct settings *, int);
  int (*set_output)(struct settings *, int);
  struct line_config *(*config_new)(void);
  void (*config_free)(struct line_config *);
  int (*config_add)(struct line_config *, const unsigned *, size_t, struct settings *);
  struct request_config *(*request_config_new)(void);
  void (*request_config_free)(struct request_config *);
  void (*set_consumer)(struct request_config *, const char *);
  struct request *(*request_lines)(struct chip *, struct request_config *, struct line_config *);
  void (*request_release)(struct request *);
  int (*get_value)(struct request *, unsigned);
  int (*set_value)(struct request *, unsigned, int);
  int (*request_fd)(struct request *);
  int (*read_events)(struct request *, struct buffer *, size_t);
  struct buffer *(*buffer_new)(size_t);
  void (*buffer_free)(struct buffer *);
  struct event *(*buffer_event)(struct buffer *, unsigned long);
  int (*event_type)(struct event *);
  uint64_t (*event_stamp)(struct event *);
} gpiod;

static int failure(void) { return errno > 0 ? -errno : -EIO; }

static int find(const char *path, const char *name) {
  errno = 0;
  struct chip *chip = gpiod.chip_open(path);
  if (chip == NULL) return failure();
  errno = 0;
  int offset = gpiod.offset_from_name(chip, name);
  if (offset < 0) offset = errno > 0 ? -errno : -ENOENT;
  gpiod.chip_close(chip);
  return offset;
}

static int configure(
    struct settings *settings, struct line_config *config, unsigned offset,
    enum linuxbus_gpio_mode mode) {
  static const int edges[] = {edge_none, edge_none, edge_none, edge_rising, edge_falling, edge_both};
  bool is_output = mode == LINUXBUS_GPIO_OUTPUT_LOW || mode == LINUXBUS_GPIO_OUTPUT_HIGH;
  // The stamps use the default clock, CLOCK_MONOTONIC.
  if (gpiod.set_direction(settings, is_output ? direction_output : direction_input) < 0 ||
      gpiod.set_edge(settings, edges[mode]) < 0 ||
      gpiod.set_output(settings, mode == LINUXBUS_GPIO_OUTPUT_HIGH) < 0 ||
      gpiod.config_add(config, &offset, 1, settings) < 0)
    return failure();
  return 0;
}

static int request_lines(
    struct linuxbus_gpio_line *line, enum linuxbus_gpio_mode mode, const char *consumer,
    struct settings *settings, struct line_config *config, struct request_config *asked) {
  if (settings == NULL || config == NULL || asked == NULL) return -ENOMEM;
  int status = configure(settings, config, line->offset, mode);
  if (status < 0) return status;
  gpiod.set_consumer(asked, consumer);
  errno = 0;
  line->request = gpiod.request_lines(line->chip, asked, config);
  return line->request == NULL ? failure() : 0;
}

static int request(
    const char *path, enum linuxbus_gpio_mode mode, const char *consumer,
    struct linuxbus_gpio_line *line, char *owner, unsigned owner_size) {
  errno = 0;
  line->chip = gpiod.chip_open(path);
  if (line->chip == NULL) return failure();
  // Room for one edge: edges read ahead would not make the descriptor readable.
  line->buffer = gpiod.buffer_new(1);
  if (line->buffer == NULL) return -ENOMEM;
  struct settings *settings = gpiod.settings_new();
  struct line_config *config = gpiod.config_new();
  struct request_config *asked = gpiod.request_config_new();
  int status = request_lines(line, mode, consumer, settings, config, asked);
  if (settings != NULL) gpiod.settings_free(settings);
  if (config != NULL) gpiod.config_free(config);
  if (asked != NULL) gpiod.request_config_free(asked);
  if (status == -EBUSY) {
    struct info *info = gpiod.line_info(line->chip, line->offset);
    if (info != NULL) {
      linuxbus_copy(owner, owner_size, gpiod.info_consumer(info));
      gpiod.info_free(info);
    }
  }
  return status;
}

static void release(struct linuxbus_gpio_line *line) {
  if (line->request != NULL) gpiod.request_release(line->request);
  if (line->buffer != NULL) gpiod.buffer_free(line->buffer);
  if (line->chip != NULL) gpiod.chip_close(line->chip);
}

static int get(struct linuxbus_gpio_line *line) {
  int value = gpiod.get_value(line->request, line->offset);
  return value < 0 ? failure() : value;
}

static int set(struct linuxbus_gpio_line *line, bool high) {
  return gpiod.set_value(line->request, line->offset, high) < 0 ? failure() : 0;
}

static int descriptor(struct linuxbus_gpio_line *line) { return gpiod.request_fd(line->request); }

static int read_edge(struct linuxbus_gpio_line *line, struct linuxbus_gpio_edge *edge) {
  int count = gpiod.read_events(line->request, line->buffer, 1);
  if (count < 0) return failure();
  struct event *event = count > 0 ? gpiod.buffer_event(line->buffer, 0) : NULL;
  if (event == NULL) return -EIO;
  edge->stamp = gpiod.event_stamp(event);
  edge->is_rising = gpiod.event_type(event) == event_rising;
  return 0;
}

const struct linuxbus_gpio_driver *linuxbus_gpiod2(void) {
  static const struct linuxbus_gpio_driver driver = {
      find, request, release, get, set, descriptor, read_edge};
  void *library = dlopen("libgpiod.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  const struct linuxbus_symbol symbols[] = {
      {&gpiod.chip_open, "gpiod_chip_open"},
      {&gpiod.chip_close, "gpiod_chip_close"},
      {&gpiod.offset_from_name, "gpiod_chip_get_line_offset_from_name"},
      {&gpiod.line_info, "gpiod_chip_get_line_info"},
      {&gpiod.info_consumer, "gpiod_line_info_get_consumer"},
      {&gpiod.info_free, "gpiod_line_info_free"},
      {&gpiod.settings_new, "gpiod_line_settings_new"},
      {&gpiod.settings_free, "gpiod_line_settings_free"},
      {&gpiod.set_direction, "gpiod_line_settings_set_direction"},
      {&gpiod.set_edge, "gpiod_line_settings_set_edge_detection"},
      {&gpiod.set_output, "gpiod_line_settings_set_output_value"},
      {&gpiod.config_new, "gpiod_line_config_new"},
      {&gpiod.config_free, "gpiod_line_config_free"},
      {&gpiod.config_add, "gpiod_line_config_add_line_settings"},
      {&gpiod.request_config_new, "gpiod_request_config_new"},
      {&gpiod.request_config_free, "gpiod_request_config_free"},
      {&gpiod.set_consumer, "gpiod_request_config_set_consumer"},
      {&gpiod.request_lines, "gpiod_chip_request_lines"},
      {&gpiod.request_release, "gpiod_line_request_release"},
      {&gpiod.get_value, "gpiod_line_request_get_value"},
      {&gpiod.set_value, "gpiod_line_request_set_value"},
      {&gpiod.request_fd, "gpiod_line_request_get_fd"},
      {&gpiod.read_events, "gpiod_line_request_read_edge_events"},
      {&gpiod.buffer_new, "gpiod_edge_event_buffer_new"},
      {&gpiod.buffer_free, "gpiod_edge_event_buffer_free"},
      {&gpiod.buffer_event, "gpiod_edge_event_buffer_get_event"},
      {&gpiod.event_type, "gpiod_edge_event_get_event_type"},
      {&gpiod.event_stamp, "gpiod_edge_event_get_timestamp_ns"},
  };
  return linuxbus_symbols(library, symbols, sizeof symbols / sizeof symbols[0]) ? &driver : NULL;
}
