#define _GNU_SOURCE
#include "clinuxbus.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int linuxbus_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return client < 0 ? -errno : client;
}

int linuxbus_can_open(const char *interface, const uint32_t *identifiers, const uint32_t *masks, unsigned count) {
  struct can_filter filters[LINUXBUS_CAN_MOST_FILTERS];
  if (count > LINUXBUS_CAN_MOST_FILTERS) return -EINVAL;
  for (unsigned i = 0; i < count; i++) {
    filters[i].can_id = identifiers[i] | CAN_EFF_FLAG;
    filters[i].can_mask = masks[i] | CAN_EFF_FLAG | CAN_RTR_FLAG;
  }
  struct sockaddr_can address = {.can_family = AF_CAN, .can_ifindex = (int)if_nametoindex(interface)};
  if (address.can_ifindex == 0) return -errno;
  int file = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
  if (file < 0) return -errno;
  if (setsockopt(file, SOL_CAN_RAW, CAN_RAW_FILTER, filters, count * sizeof(struct can_filter)) == 0 &&
      bind(file, (const struct sockaddr *)&address, sizeof address) == 0) {
    return file;
  }
  int code = errno;
  close(file);
  return -code;
}
