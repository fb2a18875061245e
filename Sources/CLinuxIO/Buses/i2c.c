#include "clinuxbus.h"

#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <string.h>
#include <sys/ioctl.h>

int linuxbus_i2c_functions(int file, unsigned long *functions) {
  /* In units of 10 ms. With the kernel's default of one second, a chip that holds the clock would block the
     others. An adapter without this setting returns an error, which is ignored. */
  (void)ioctl(file, I2C_TIMEOUT, 5ul);
  return ioctl(file, I2C_FUNCS, functions) < 0 ? -errno : 0;
}

int linuxbus_i2c_claim(int file, uint8_t address) {
  return ioctl(file, I2C_SLAVE, (unsigned long)address) < 0 ? -errno : 0;
}

static int transfer(int file, struct i2c_msg *messages, uint32_t count) {
  struct i2c_rdwr_ioctl_data data = {.msgs = messages, .nmsgs = count};
  int done = ioctl(file, I2C_RDWR, &data);
  if (done < 0) return -errno;
  // Fewer messages than requested: the adapter stopped without an error number.
  return (uint32_t)done == count ? 0 : -EIO;
}

int linuxbus_i2c_read(int file, uint8_t address, uint8_t reg, uint8_t *bytes, uint16_t count) {
  struct i2c_msg messages[] = {
      {.addr = address, .flags = 0, .len = 1, .buf = &reg},
      {.addr = address, .flags = I2C_M_RD, .len = count, .buf = bytes},
  };
  return transfer(file, messages, 2);
}

int linuxbus_i2c_write(
    int file, uint8_t address, uint8_t reg, const uint8_t *bytes, uint16_t count) {
  uint8_t all[1 + LINUXBUS_I2C_WRITE_LIMIT];
  if (count > LINUXBUS_I2C_WRITE_LIMIT) return -EMSGSIZE;
  all[0] = reg;
  if (count > 0) memcpy(all + 1, bytes, count);
  struct i2c_msg message = {.addr = address, .flags = 0, .len = (uint16_t)(1 + count), .buf = all};
  return transfer(file, &message, 1);
}

int linuxbus_i2c_receive(int file, uint8_t address, uint8_t *byte) {
  return linuxbus_i2c_receive_bytes(file, address, byte, 1);
}

int linuxbus_i2c_receive_bytes(int file, uint8_t address, uint8_t *bytes, uint16_t count) {
  struct i2c_msg message = {.addr = address, .flags = I2C_M_RD, .len = count, .buf = bytes};
  return transfer(file, &message, 1);
}
