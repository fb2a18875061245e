#include "clinuxbus.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pps.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int linuxbus_serial_exclude(int file) { return ioctl(file, TIOCEXCL) < 0 ? -errno : 0; }

int linuxbus_serial_admit(int file) { return ioctl(file, TIOCNXCL) < 0 ? -errno : 0; }

int linuxbus_terminal_open(int *number) {
  int file = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -errno;
  int lock = 0;
  if (ioctl(file, TIOCSPTLCK, &lock) < 0 || ioctl(file, TIOCGPTN, number) < 0) {
    int code = errno;
    close(file);
    return -code;
  }
  return file;
}

static const int64_t second = 1000000000;

static int64_t nanoseconds(struct pps_ktime t) { return t.sec * second + t.nsec; }

int linuxbus_pps_fetch(int file, uint64_t timeout, struct linuxbus_pps *pulse) {
  struct pps_fdata data;
  memset(&data, 0, sizeof data);
  data.timeout.sec = (int64_t)(timeout / (uint64_t)second);
  data.timeout.nsec = (int32_t)(timeout % (uint64_t)second);
  if (ioctl(file, PPS_FETCH, &data) < 0) return -errno;
  pulse->assert_sequence = data.info.assert_sequence;
  pulse->clear_sequence = data.info.clear_sequence;
  pulse->assert_time = nanoseconds(data.info.assert_tu);
  pulse->clear_time = nanoseconds(data.info.clear_tu);
  return 0;
}
