// libi2c, the i2c-tools' library, by its binary interface (libi2c.so.0).
#include "clinuxbus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct {
  bool loaded;
  int32_t (*read_byte)(int);
  int32_t (*write_byte)(int, uint8_t);
  int32_t (*read_byte_data)(int, uint8_t);
  int32_t (*write_byte_data)(int, uint8_t, uint8_t);
  int32_t (*read_word_data)(int, uint8_t);
  int32_t (*write_word_data)(int, uint8_t, uint16_t);
  linuxbus_smbus_block_reader read_block;
  int32_t (*write_block)(int, uint8_t, uint8_t, const uint8_t *);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libi2c.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  const struct {
    void *slot;
    const char *name;
  } functions[] = {
      {&library.read_byte, "i2c_smbus_read_byte"},
      {&library.write_byte, "i2c_smbus_write_byte"},
      {&library.read_byte_data, "i2c_smbus_read_byte_data"},
      {&library.write_byte_data, "i2c_smbus_write_byte_data"},
      {&library.read_word_data, "i2c_smbus_read_word_data"},
      {&library.write_word_data, "i2c_smbus_write_word_data"},
      {&library.read_block, "i2c_smbus_read_i2c_block_data"},
      {&library.write_block, "i2c_smbus_write_i2c_block_data"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *found = dlsym(handle, functions[i].name);
    if (found == NULL) return;
    *(void **)functions[i].slot = found;
  }
  library.loaded = true;
}

bool linuxbus_smbus_load(void) {
  pthread_once(&once, load);
  return library.loaded;
}

int linuxbus_smbus_read_byte(int file) {
  return linuxbus_smbus_load() ? library.read_byte(file) : -ENOSYS;
}

int linuxbus_smbus_write_byte(int file, uint8_t value) {
  return linuxbus_smbus_load() ? library.write_byte(file, value) : -ENOSYS;
}

int linuxbus_smbus_read_byte_data(int file, uint8_t command) {
  return linuxbus_smbus_load() ? library.read_byte_data(file, command) : -ENOSYS;
}

int linuxbus_smbus_write_byte_data(int file, uint8_t command, uint8_t value) {
  return linuxbus_smbus_load() ? library.write_byte_data(file, command, value) : -ENOSYS;
}

int linuxbus_smbus_read_word_data(int file, uint8_t command) {
  return linuxbus_smbus_load() ? library.read_word_data(file, command) : -ENOSYS;
}

int linuxbus_smbus_write_word_data(int file, uint8_t command, uint16_t value) {
  return linuxbus_smbus_load() ? library.write_word_data(file, command, value) : -ENOSYS;
}

int linuxbus_smbus_read_block(int file, uint8_t command, uint8_t count, uint8_t *bytes) {
  return linuxbus_smbus_load()
             ? linuxbus_smbus_read_block_by(library.read_block, file, command, count, bytes)
             : -ENOSYS;
}

int linuxbus_smbus_read_block_by(
    linuxbus_smbus_block_reader read, int file, uint8_t command, uint8_t count, uint8_t *bytes) {
  // libi2c copies as many bytes as the adapter reports in one byte, also more than requested.
  uint8_t all[UINT8_MAX];
  int done = read(file, command, count, all);
  if (done > count) done = count;
  if (done > 0) memcpy(bytes, all, (size_t)done);
  return done;
}

int linuxbus_smbus_write_block(int file, uint8_t command, uint8_t count, const uint8_t *bytes) {
  return linuxbus_smbus_load() ? library.write_block(file, command, count, bytes) : -ENOSYS;
}
