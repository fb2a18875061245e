#define _GNU_SOURCE
#include "gpio.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct linuxbus_gpio_driver *driver;
static int generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The newer one first: its kernel interface is not deprecated.
  if ((driver = linuxbus_gpiod2()) != NULL) {
    generation = 2;
  } else if ((driver = linuxbus_gpiod1()) != NULL) {
    generation = 1;
  }
}

int linuxbus_gpio_library(void) {
  pthread_once(&once, load);
  return generation;
}

int linuxbus_gpio_find(const char *chip, const char *name) {
  return linuxbus_gpio_library() == 0 ? -ENOSYS : driver->find(chip, name);
}

int linuxbus_gpio_request(
    const char *chip, unsigned offset, enum linuxbus_gpio_mode mode, const char *consumer,
    struct linuxbus_gpio_line **line, char *owner, unsigned owner_size) {
  if (linuxbus_gpio_library() == 0) return -ENOSYS;
  struct linuxbus_gpio_line *made = calloc(1, sizeof *made);
  if (made == NULL) return -ENOMEM;
  made->offset = offset;
  linuxbus_copy(owner, owner_size, NULL);
  int status = driver->request(chip, mode, consumer, made, owner, owner_size);
  if (status < 0) {
    driver->release(made);
    free(made);
    return status;
  }
  *line = made;
  return 0;
}

void linuxbus_gpio_release(struct linuxbus_gpio_line *line) {
  driver->release(line);
  free(line);
}

int linuxbus_gpio_get(struct linuxbus_gpio_line *line) { return driver->get(line); }

int linuxbus_gpio_set(struct linuxbus_gpio_line *line, bool high) {
  return driver->set(line, high);
}

int linuxbus_gpio_descriptor(struct linuxbus_gpio_line *line) { return driver->descriptor(line); }

int linuxbus_gpio_read(struct linuxbus_gpio_line *line, struct linuxbus_gpio_edge *edge) {
  return driver->read(line, edge);
}

bool linuxbus_symbols(void *library, const struct linuxbus_symbol *symbols, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, symbols[i].name);
    if (found == NULL) return false;
    *(void **)symbols[i].slot = found;
  }
  return true;
}

void linuxbus_copy(char *to, unsigned size, const char *text) {
  if (size == 0) return;
  size_t count = text == NULL ? 0 : strnlen(text, size - 1);
  if (count > 0) memcpy(to, text, count);
  to[count] = 0;
}
