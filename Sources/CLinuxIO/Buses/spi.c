#include "clinuxbus.h"

#include <errno.h>
#include <linux/spi/spidev.h>
#include <string.h>
#include <sys/ioctl.h>

int linuxbus_spi_set(int file, uint32_t mode, uint8_t bits, uint32_t hertz) {
  uint32_t present = 0;
  uint8_t present_bits = 0;
  uint32_t present_hertz = 0;
  if (ioctl(file, SPI_IOC_RD_MODE32, &present) < 0) return -errno;
  /* The device tree's other bits stay: a chip select that is active high, three wires. */
  uint32_t wanted = (present & ~(uint32_t)(SPI_CPHA | SPI_CPOL)) | mode;
  if (wanted != present && ioctl(file, SPI_IOC_WR_MODE32, &wanted) < 0) return -errno;
  if (ioctl(file, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0) return -errno;
  if (ioctl(file, SPI_IOC_WR_MAX_SPEED_HZ, &hertz) < 0) return -errno;
  if (ioctl(file, SPI_IOC_RD_MODE32, &present) < 0) return -errno;
  if (ioctl(file, SPI_IOC_RD_BITS_PER_WORD, &present_bits) < 0) return -errno;
  if (ioctl(file, SPI_IOC_RD_MAX_SPEED_HZ, &present_hertz) < 0) return -errno;
  int holds = (present & (SPI_CPHA | SPI_CPOL)) == mode && present_bits == bits && present_hertz <= hertz;
  return holds ? 0 : -EINVAL;
}

void linuxbus_spi_message(void *message, uint8_t *bytes, uint32_t count, uint32_t hertz) {
  struct spi_ioc_transfer transfer;
  memset(&transfer, 0, sizeof transfer);
  transfer.tx_buf = (uintptr_t)bytes;
  transfer.rx_buf = (uintptr_t)bytes;
  transfer.len = count;
  transfer.speed_hz = hertz;
  transfer.bits_per_word = 8;
  memcpy(message, &transfer, sizeof transfer);
}

_Static_assert(sizeof(struct spi_ioc_transfer) == LINUXBUS_SPI_MESSAGE_SIZE, "the kernel's layout");

int linuxbus_spi_exchange(int file, uint8_t *bytes, uint32_t count, uint32_t hertz) {
  struct spi_ioc_transfer transfer;
  linuxbus_spi_message(&transfer, bytes, count, hertz);
  int done = ioctl(file, SPI_IOC_MESSAGE(1), &transfer);
  if (done < 0) return -errno;
  return (uint32_t)done == count ? 0 : -EIO;
}
