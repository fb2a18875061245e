#define _GNU_SOURCE
#include "clinuxbus.h"

#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int linuxbus_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return client < 0 ? -errno : client;
}

int linuxbus_traffic(int file, struct linuxbus_traffic *traffic) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -errno;
  int outstanding = 0;
  if (ioctl(file, SIOCOUTQ, &outstanding) != 0) return -errno;
  traffic->received = info.tcpi_bytes_received;
  traffic->confirmed = info.tcpi_bytes_acked;
  traffic->outstanding = outstanding > 0 ? (uint64_t)outstanding : 0;
  traffic->idle = info.tcpi_last_data_recv < info.tcpi_last_data_sent ? info.tcpi_last_data_recv
                                                                      : info.tcpi_last_data_sent;
  return 0;
}
