#define _GNU_SOURCE
#include "clinuxbus.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>

int linuxbus_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return client < 0 ? -errno : client;
}
