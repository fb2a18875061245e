// libgpiod 1.x by its binary interface (libgpiod.so.2, Debian 12's libgpiod2).
#include "gpio.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>

struct chip;
struct line;
struct request_config {
  const char *consumer;
  int type, flags;
};
struct event {
  struct timespec time;
  int type;
};
enum { input = 2, output = 3, falling_edge = 4, rising_edge = 5, both_edges = 6 };
enum { event_rising = 1 };

static struct {
  struct chip *(*chip_open)(const char *);
  void (*chip_close)(struct chip *);
  struct line *(*find_line)(struct chip *, const char *);
  struct line *(*get_line)(struct chip *, unsigned);
  unsigned (*line_offset)(struct line *);
  const char *(*line_consumer)(struct line *);
  int (*line_request)(struct line *, const struct request_config *, int);
  void (*line_release)(struct line *);
  int (*get_value)(struct line *);
  int (*set_value)(struct line *, int);
  int (*event_fd)(struct line *);
  int (*event_read)(struct line *, struct event *);
} gpiod;

// The library's functions report a failure by errno, but some not in every case.
static int failure(void) { return errno > 0 ? -errno : -EIO; }

static int find(const char *path, const char *name) {
  errno = 0;
  struct chip *chip = gpiod.chip_open(path);
  if (chip == NULL) return failure();
  errno = 0;
  struct line *line = gpiod.find_line(chip, name);
  int found = line != NULL ? (int)gpiod.line_offset(line) : errno > 0 ? -errno : -ENOENT;
  gpiod.chip_close(chip);
  return found;
}

static int request(
    const char *path, enum linuxbus_gpio_mode mode, const char *consumer,
    struct linuxbus_gpio_line *line, char *owner, unsigned owner_size) {
  static const int types[] = {input, output, output, rising_edge, falling_edge, both_edges};
  errno = 0;
  line->chip = gpiod.chip_open(path);
  if (line->chip == NULL) return failure();
  errno = 0;
  struct line *found = gpiod.get_line(line->chip, line->offset);
  if (found == NULL) return failure();
  struct request_config config = {.consumer = consumer, .type = types[mode], .flags = 0};
  errno = 0;
  if (gpiod.line_request(found, &config, mode == LINUXBUS_GPIO_OUTPUT_HIGH) < 0) {
    int status = failure();
    if (status == -EBUSY) linuxbus_copy(owner, owner_size, gpiod.line_consumer(found));
    return status;
  }
  line->request = found;
  return 0;
}

static void release(struct linuxbus_gpio_line *line) {
  if (line->request != NULL) gpiod.line_release(line->request);
  if (line->chip != NULL) gpiod.chip_close(line->chip);
}

static int get(struct linuxbus_gpio_line *line) {
  int value = gpiod.get_value(line->request);
  return value < 0 ? failure() : value;
}

static int set(struct linuxbus_gpio_line *line, bool high) {
  return gpiod.set_value(line->request, high) < 0 ? failure() : 0;
}

static int descriptor(struct linuxbus_gpio_line *line) {
  int file = gpiod.event_fd(line->request);
  return file < 0 ? failure() : file;
}

static int read_edge(struct linuxbus_gpio_line *line, struct linuxbus_gpio_edge *edge) {
  struct event event;
  if (gpiod.event_read(line->request, &event) < 0) return failure();
  edge->stamp = (uint64_t)event.time.tv_sec * 1000000000 + (uint64_t)event.time.tv_nsec;
  edge->is_rising = event.type == event_rising;
  return 0;
}

const struct linuxbus_gpio_driver *linuxbus_gpiod1(void) {
  static const struct linuxbus_gpio_driver driver = {
      find, request, release, get, set, descriptor, read_edge};
  void *library = dlopen("libgpiod.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  const struct linuxbus_symbol symbols[] = {
      {&gpiod.chip_open, "gpiod_chip_open"},
      {&gpiod.chip_close, "gpiod_chip_close"},
      {&gpiod.find_line, "gpiod_chip_find_line"},
      {&gpiod.get_line, "gpiod_chip_get_line"},
      {&gpiod.line_offset, "gpiod_line_offset"},
      {&gpiod.line_consumer, "gpiod_line_consumer"},
      {&gpiod.line_request, "gpiod_line_request"},
      {&gpiod.line_release, "gpiod_line_release"},
      {&gpiod.get_value, "gpiod_line_get_value"},
      {&gpiod.set_value, "gpiod_line_set_value"},
      {&gpiod.event_fd, "gpiod_line_event_get_fd"},
      {&gpiod.event_read, "gpiod_line_event_read"},
  };
  return linuxbus_symbols(library, symbols, sizeof symbols / sizeof symbols[0]) ? &driver : NULL;
}
