// The common interface of both generations of libgpiod.
#ifndef LODESTAR_GPIO_H
#define LODESTAR_GPIO_H

#include "clinuxbus.h"

#include <stddef.h>

struct linuxbus_gpio_line {
  void *chip;
  /// gpiod_line of generation 1, gpiod_line_request of generation 2.
  void *request;
  /// Generation 2: room for one edge, made once.
  void *buffer;
  unsigned offset;
};

struct linuxbus_gpio_driver {
  int (*find)(const char *chip, const char *name);
  int (*request)(
      const char *chip, enum linuxbus_gpio_mode mode, const char *consumer,
      struct linuxbus_gpio_line *line, char *owner, unsigned owner_size);
  void (*release)(struct linuxbus_gpio_line *line);
  int (*get)(struct linuxbus_gpio_line *line);
  int (*set)(struct linuxbus_gpio_line *line, bool high);
  int (*descriptor)(struct linuxbus_gpio_line *line);
  int (*read)(struct linuxbus_gpio_line *line, struct linuxbus_gpio_edge *edge);
};

/// The driver over the library's generation 1 or 2; NULL where it is not installed. Called once each.
const struct linuxbus_gpio_driver *linuxbus_gpiod1(void);
const struct linuxbus_gpio_driver *linuxbus_gpiod2(void);

/// Looks up functions by name into their slots; false where one is missing.
struct linuxbus_symbol {
  void *slot;
  const char *name;
};
bool linuxbus_symbols(void *library, const struct linuxbus_symbol *symbols, size_t count);
/// Copies as much of `text`, which may be NULL, as fits.
void linuxbus_copy(char *to, unsigned size, const char *text);

#endif
