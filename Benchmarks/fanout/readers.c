// readers SECONDS NUMBER-A PORT-A NUMBER-B PORT-B OUTPUT [RECORD-A RECORD-B]: as many clients of gpsd's protocol at the first
// loopback port and WebSockets at the second, in one thread with epoll. Writes a line for each attitude and estimate:
// kind (A or B), instant of arrival (CLOCK_MONOTONIC, ns), its own time of day (ms), its own t (ns; 0 for none). With file
// names for records, the bytes of the first client of each kind are written there in the format of fanout.c.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most = 4096, room = 65536 };

struct client {
  int file, kind, isUpgraded;
  size_t count;
  char bytes[room];
};

struct arrival {
  uint64_t instant, t;
  uint32_t time;
  char kind;
};

static struct client *clients[most];
static struct arrival *arrivals;
static size_t arrived, capacity = 1 << 20;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Notes a message with a time such as "time":"2026-11-23T13:28:06.235Z" and perhaps "t":2.594582873.
static void note(char kind, uint64_t instant, const char *text, size_t count) {
  const char *time = memmem(text, count, "\"time\":\"", 8);
  if (time == NULL || time + 31 > text + count || arrived == capacity) return;
  time += 8 + 11;
  struct arrival *one = &arrivals[arrived++];
  one->kind = kind;
  one->instant = instant;
  one->time = (uint32_t)(((atoi(time) * 60 + atoi(time + 3)) * 60 + atoi(time + 6)) * 1000 + atoi(time + 9));
  const char *t = memmem(text, count, "\"t\":", 4);
  one->t = t == NULL ? 0 : (uint64_t)(strtod(t + 4, NULL) * 1e9 + 0.5);
}

static void take(struct client *one, uint64_t instant) {
  size_t at = 0;
  if (one->kind == 1 && !one->isUpgraded) {
    char *end = memmem(one->bytes, one->count, "\r\n\r\n", 4);
    if (end == NULL) return;
    at = (size_t)(end - one->bytes) + 4;
    one->isUpgraded = 1;
  }
  while (at < one->count) {
    const char *text = one->bytes + at;
    size_t left = one->count - at;
    if (one->kind == 0) {
      const char *end = memchr(text, '\n', left);
      if (end == NULL) break;
      size_t length = (size_t)(end - text) + 1;
      if (length > 14 && memcmp(text, "{\"class\":\"ATT\"", 14) == 0) note('A', instant, text, length);
      at += length;
    } else {
      const unsigned char *head = (const unsigned char *)text;
      if (left < 4) break;
      size_t length = head[1], start = 2;
      if (length == 126) {
        length = (size_t)head[2] << 8 | head[3];
        start = 4;
      }
      if (left < start + length) break;
      if (memmem(text + start, length, "\"type\":\"estimate\"", 17) != NULL) note('B', instant, text + start, length);
      at += start + length;
    }
  }
  memmove(one->bytes, one->bytes + at, one->count - at);
  one->count -= at;
}

int main(int count, char **arguments) {
  if (count != 7 && count != 9) {
    fprintf(stderr, "usage: readers SECONDS NUMBER-A PORT-A NUMBER-B PORT-B OUTPUT [RECORD-A RECORD-B]\n");
    return 64;
  }
  const char *requests[2] = {
    "?WATCH={\"enable\":true,\"json\":true};\n",
    "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  };
  FILE *records[2] = {NULL, NULL};
  int numbers[2] = {atoi(arguments[2]), atoi(arguments[4])}, ports[2] = {atoi(arguments[3]), atoi(arguments[5])};
  int total = 0, epoll = epoll_create1(0);
  arrivals = calloc(capacity, sizeof *arrivals);
  for (int kind = 0; kind < 2; kind++) {
    if (count == 9 && (records[kind] = fopen(arguments[7 + kind], "wb")) == NULL) fail(arguments[7 + kind]);
    struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)ports[kind]), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0; i < numbers[kind]; i++) {
      struct client *one = clients[total++] = calloc(1, sizeof **clients);
      one->kind = kind;
      one->file = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(one->file, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
      struct epoll_event event = {.events = EPOLLIN, .data.ptr = one};
      epoll_ctl(epoll, EPOLL_CTL_ADD, one->file, &event);
    }
  }
  // All at once, so that all reports of a server are due at the same instants: the most that it can have to do.
  usleep(300000);
  for (int i = 0; i < total; i++) {
    const char *request = requests[clients[i]->kind];
    if (send(clients[i]->file, request, strlen(request), 0) < 0) fail("send");
  }
  uint64_t begin = now(), end = begin + (uint64_t)(atof(arguments[1]) * 1e9);
  int lost = 0;
  while (now() < end && lost < total) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, 100);
    for (int i = 0; i < ready; i++) {
      struct client *one = events[i].data.ptr;
      ssize_t length = recv(one->file, one->bytes + one->count, room - one->count, MSG_DONTWAIT);
      uint64_t instant = now();
      if (length <= 0) {
        if (length < 0 && errno == EAGAIN) continue;
        epoll_ctl(epoll, EPOLL_CTL_DEL, one->file, NULL);
        lost++;
        continue;
      }
      FILE *record = one == clients[0] ? records[0] : one == clients[numbers[0]] ? records[1] : NULL;
      if (record != NULL) {
        uint64_t offset = instant - begin;
        uint32_t size = (uint32_t)length;
        fwrite(&offset, sizeof offset, 1, record);
        fwrite(&size, sizeof size, 1, record);
        fwrite(one->bytes + one->count, size, 1, record);
      }
      one->count += (size_t)length;
      take(one, instant);
    }
  }
  FILE *output = fopen(arguments[6], "w");
  if (output == NULL) fail(arguments[6]);
  for (size_t i = 0; i < arrived; i++) {
    fprintf(output, "%c %llu %u %llu\n", arrivals[i].kind, (unsigned long long)arrivals[i].instant, arrivals[i].time,
            (unsigned long long)arrivals[i].t);
  }
  fclose(output);
  for (int i = 0; i < 2; i++) {
    if (records[i] != NULL) fclose(records[i]);
  }
  fprintf(stderr, "%d clients, %d lost, %zu arrivals\n", total, lost, arrived);
  return 0;
}
