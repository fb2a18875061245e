// fanout NUMBER-A FILE-A NUMBER-B FILE-B: the least that a server can do. It listens at two loopback ports, which it prints,
// waits for that many clients at each, and writes to all of them the recorded pieces of the file of their port at the recorded
// instants: one thread, epoll, a system call for each piece and client. It prints the instant (CLOCK_MONOTONIC, ns) at which
// the files begin, and ends after the last piece.
//
// A file consists of records in the machine's order of bytes: offset (uint64, ns), length (uint32), bytes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct port {
  int listener, wanted, count, clients[4096];
  char *records;
  size_t size, next;
};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void load(struct port *port, const char *count, const char *path) {
  port->wanted = atoi(count);
  int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail(path);
  port->size = (size_t)status.st_size;
  port->records = malloc(port->size);
  if (read(file, port->records, port->size) != status.st_size) fail(path);
  close(file);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  port->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (bind(port->listener, (struct sockaddr *)&address, length) != 0) fail("bind");
  if (listen(port->listener, 512) != 0) fail("listen");
  getsockname(port->listener, (struct sockaddr *)&address, &length);
  printf("%d ", ntohs(address.sin_port));
}

static uint64_t offset(const struct port *port) {
  uint64_t value = UINT64_MAX;
  if (port->next < port->size) memcpy(&value, port->records + port->next, sizeof value);
  return value;
}

static void play(struct port *port) {
  uint32_t length;
  memcpy(&length, port->records + port->next + 8, sizeof length);
  const char *bytes = port->records + port->next + 12;
  port->next += 12 + length;
  for (int i = 0; i < port->count; i++) {
    if (port->clients[i] >= 0 && send(port->clients[i], bytes, length, MSG_NOSIGNAL) != length) {
      fprintf(stderr, "a client does not read\n");
      close(port->clients[i]);
      port->clients[i] = -1;
    }
  }
}

int main(int count, char **arguments) {
  static struct port ports[2];
  if (count != 5) {
    fprintf(stderr, "usage: fanout NUMBER-A FILE-A NUMBER-B FILE-B\n");
    return 64;
  }
  load(&ports[0], arguments[1], arguments[2]);
  load(&ports[1], arguments[3], arguments[4]);
  printf("\n");
  fflush(stdout);
  int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN};
  for (int i = 0; i < 2; i++) {
    event.data.fd = ports[i].listener;
    epoll_ctl(epoll, EPOLL_CTL_ADD, ports[i].listener, &event);
  }
  event.data.fd = timer;
  epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
  uint64_t begin = 0;
  while (1) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      int file = events[i].data.fd;
      struct port *port = file == ports[0].listener ? &ports[0] : &ports[1];
      if (file == ports[0].listener || file == ports[1].listener) {
        int client, on = 1;
        while ((client = accept4(file, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
          event.data.fd = client;
          epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event);
          port->clients[port->count++] = client;
        }
      } else if (file == timer) {
        uint64_t expired;
        if (read(timer, &expired, sizeof expired) < 0) continue;
        for (int k = 0; k < 2; k++) {
          while (offset(&ports[k]) != UINT64_MAX && begin + offset(&ports[k]) <= now()) play(&ports[k]);
        }
      } else {
        char ignored[4096];
        if (recv(file, ignored, sizeof ignored, 0) == 0) epoll_ctl(epoll, EPOLL_CTL_DEL, file, NULL);
      }
    }
    if (ports[0].count < ports[0].wanted || ports[1].count < ports[1].wanted) continue;
    if (begin == 0) {
      begin = now() + 300000000u;
      printf("%llu\n", (unsigned long long)begin);
      fflush(stdout);
    }
    uint64_t first = offset(&ports[0]), second = offset(&ports[1]);
    if (second < first) first = second;
    if (first == UINT64_MAX) break;
    uint64_t due = begin + first;
    struct itimerspec at = {.it_value = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
  }
  usleep(300000);
  return 0;
}
