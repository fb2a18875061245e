#include "forced_address.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <sys/ioctl.h>
#include <unistd.h>

int forced_address_open(const char *bus, uint8_t address) {
  int file = open(bus, O_RDWR | O_CLOEXEC);
  if (file < 0) return -errno;
  if (ioctl(file, I2C_SLAVE_FORCE, (unsigned long)address) < 0) {
    int code = errno;
    close(file);
    return -code;
  }
  return file;
}
