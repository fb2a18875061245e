#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/// Limit of the acknowledged messages that are not taken yet; a caller with fewer in flight loses none.
enum { most_acknowledged = 64 };
/// Packets of one step; the rest follow in the next one.
enum { packets = 100 };
/// Limit of what a broker sends, bytes: for the handshake, and for each published message and each minute, because an
/// acknowledgement with TLS has 31. The library has no limit below MQTT's 256 MiB, stores messages, and reads a packet
/// to its end while bytes arrive; so the kernel holds few.
enum { most_received = 128 << 10, most_for_each = 64, receive_buffer = 16 << 10 };

struct cmosquitto_client {
  const struct cmosquitto_library *library;
  void *handle;
  int answer;
  int number;
  int acknowledged[most_acknowledged];
  int acknowledged_count;
  unsigned long long published;
  /// The start of the connection, seconds.
  time_t begin;
  char fault[256];
};

// The callbacks, which only note what has happened.

static void did_connect(void *handle, void *context, int code) {
  (void)handle;
  struct cmosquitto_client *client = context;
  client->answer = code;
  client->fault[0] = 0;
}

static void did_publish(void *handle, void *context, int number) {
  (void)handle;
  struct cmosquitto_client *client = context;
  if (client->acknowledged_count < most_acknowledged) {
    client->acknowledged[client->acknowledged_count++] = number;
  }
}

static void did_log(void *handle, void *context, int level, const char *text) {
  (void)handle;
  struct cmosquitto_client *client = context;
  // The first of several lines names the cause.
  if (level == log_error && client->fault[0] == 0) snprintf(client->fault, sizeof client->fault, "%s", text);
}

/// Without it OpenSSL asks for a key's passphrase at the terminal.
static int no_passphrase(char *buffer, int size, int is_written, void *context) {
  (void)buffer, (void)size, (void)is_written, (void)context;
  return 0;
}

// The connection.

struct cmosquitto_client *cmosquitto_open(
    const struct cmosquitto_library *library, const char *identifier) {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, NULL);
  struct cmosquitto_client *client = calloc(1, sizeof *client);
  if (client == NULL) return NULL;
  client->library = library;
  client->answer = -1;
  // The library ignores SIGPIPE for the whole process, which programs that the daemon starts would inherit.
  struct sigaction before;
  sigaction(SIGPIPE, NULL, &before);
  client->handle = library->new(identifier, true, client);
  sigaction(SIGPIPE, &before, NULL);
  if (client->handle == NULL) {
    free(client);
    return NULL;
  }
  library->connect_callback_set(client->handle, did_connect);
  library->publish_callback_set(client->handle, did_publish);
  library->log_callback_set(client->handle, did_log);
  return client;
}

void cmosquitto_close(struct cmosquitto_client *client) {
  client->library->destroy(client->handle);
  free(client);
}

static enum cmosquitto_outcome outcome(struct cmosquitto_client *client, int code) {
  switch (code) {
  case code_ok:
    return CMOSQUITTO_DONE;
  case code_eai:
    client->number = errno;
    return CMOSQUITTO_UNKNOWN_HOST;
  case code_errno:
    // The library's sign of a failure of TLS after the handshake, and of an end without an error.
    if (errno == EPROTO) return CMOSQUITTO_TLS;
    if (errno == 0) return CMOSQUITTO_LOST;
    client->number = errno;
    return CMOSQUITTO_SYSTEM_ERROR;
  case code_tls:
  case code_tls_handshake:
    return CMOSQUITTO_TLS;
  case code_no_connection:
  case code_connection_lost:
  case code_keepalive:
    return CMOSQUITTO_LOST;
  case code_protocol:
  case code_malformed_packet:
    return CMOSQUITTO_NOT_MQTT;
  default:
    snprintf(client->fault, sizeof client->fault, "%s", client->library->strerror(code));
    return CMOSQUITTO_FAILED;
  }
}

static int set_up(
    struct cmosquitto_client *client, const struct cmosquitto_address *address,
    const struct cmosquitto_message *will) {
  const struct cmosquitto_library *library = client->library;
  int code = library->will_set(
      client->handle, will->topic, (int)will->size, will->payload, will->qos, will->is_retained);
  if (code == code_ok && address->username != NULL) {
    code = library->username_pw_set(client->handle, address->username, address->password);
  }
  if (code == code_ok && address->has_tls) {
    code = library->tls_set(
        client->handle, address->ca_file, address->ca_file == NULL ? "/etc/ssl/certs" : NULL,
        address->certificate, address->key, no_passphrase);
  }
  return code;
}

enum cmosquitto_outcome cmosquitto_connect(
    struct cmosquitto_client *client, const struct cmosquitto_address *address,
    const struct cmosquitto_message *will) {
  client->answer = -1;
  client->fault[0] = 0;
  int code = set_up(client, address, will);
  errno = 0;
  if (code == code_ok) {
    code = client->library->connect(
        client->handle, address->host, address->port, address->keepalive);
  }
  if (code == code_ok) {
    const int size = receive_buffer;
    setsockopt(
        client->library->socket(client->handle), SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  }
  return outcome(client, code);
}

int cmosquitto_answer(const struct cmosquitto_client *client) { return client->answer; }

int cmosquitto_file(const struct cmosquitto_client *client) {
  return client->library->socket(client->handle);
}

bool cmosquitto_wants_write(const struct cmosquitto_client *client) {
  return client->library->want_write(client->handle);
}

/// True where the broker has sent more than a publisher's broker does.
static bool is_flooded(struct cmosquitto_client *client) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  int file = client->library->socket(client->handle);
  if (file < 0 || getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (client->begin == 0) client->begin = now.tv_sec;
  const unsigned long long minutes = (unsigned long long)(now.tv_sec - client->begin) / 60;
  return info.tcpi_bytes_received > most_received + most_for_each * (client->published + minutes);
}

enum cmosquitto_outcome cmosquitto_turn(struct cmosquitto_client *client) {
  const struct cmosquitto_library *library = client->library;
  if (is_flooded(client)) return CMOSQUITTO_FLOOD;
  // Always read: the TLS library may hold bytes that `poll` no longer reports.
  int code = library->loop_read(client->handle, packets);
  if (code == code_ok && library->want_write(client->handle)) {
    code = library->loop_write(client->handle, packets);
  }
  if (code == code_ok) code = library->loop_misc(client->handle);
  return outcome(client, code);
}

// Messages.

enum cmosquitto_outcome cmosquitto_publish(
    struct cmosquitto_client *client, const struct cmosquitto_message *message, int *number) {
  client->published += 1;
  return outcome(
      client, client->library->publish(
                  client->handle, number, message->topic, (int)message->size, message->payload,
                  message->qos, message->is_retained));
}

bool cmosquitto_take_acknowledged(struct cmosquitto_client *client, int *number) {
  if (client->acknowledged_count == 0) return false;
  *number = client->acknowledged[0];
  client->acknowledged_count -= 1;
  memmove(
      client->acknowledged, client->acknowledged + 1,
      (size_t)client->acknowledged_count * sizeof client->acknowledged[0]);
  return true;
}

enum cmosquitto_outcome cmosquitto_disconnect(struct cmosquitto_client *client) {
  return outcome(client, client->library->disconnect(client->handle));
}

int cmosquitto_number(const struct cmosquitto_client *client) { return client->number; }

const char *cmosquitto_fault(const struct cmosquitto_client *client) { return client->fault; }
