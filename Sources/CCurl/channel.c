#define _GNU_SOURCE
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ccurl_channel {
  const struct ccurl_library *library;
  void *easy;
  void *multi;
  bool is_in_multi;
  bool is_connected;
  char fault[fault_size];
};

static bool set_up(
    struct ccurl_channel *channel, const char *host, int port, const char *authorities,
    long milliseconds) {
  const struct ccurl_library *library = channel->library;
  char url[512];
  const char *form = strchr(host, ':') != NULL ? "https://[%s]:%d/" : "https://%s:%d/";
  const int length = snprintf(url, sizeof url, form, host, port);
  if (length < 0 || (size_t)length >= sizeof url) return false;
#define SET(option, value) \
  if (library->easy_setopt(channel->easy, option, value) != code_ok) return false
  SET(option_error_buffer, channel->fault);
  SET(option_no_signal, 1L);
  SET(option_url, url);
  SET(option_connect_only, 1L);
  SET(option_verify_peer, 1L);
  SET(option_verify_host, 2L);
  // The stream is no HTTP/2.
  SET(option_enable_alpn, 0L);
  SET(option_keep_alive, 1L);
  SET(option_keep_alive_idle, keep_alive_seconds);
  SET(option_keep_alive_interval, keep_alive_seconds);
  SET(option_connect_timeout_milliseconds, milliseconds);
  if (authorities != NULL) SET(option_authorities_file, authorities);
#undef SET
  return true;
}

struct ccurl_channel *ccurl_channel_begin(
    const struct ccurl_library *library, const char *host, int port, const char *authorities,
    long milliseconds) {
  struct ccurl_channel *channel = calloc(1, sizeof *channel);
  if (channel == NULL) return NULL;
  channel->library = library;
  channel->easy = library->easy_init();
  channel->multi = library->multi_init();
  if (channel->easy != NULL && channel->multi != NULL
      && set_up(channel, host, port, authorities, milliseconds)
      && library->multi_add_handle(channel->multi, channel->easy) == 0) {
    channel->is_in_multi = true;
    return channel;
  }
  ccurl_channel_end(channel);
  return NULL;
}

void ccurl_channel_end(struct ccurl_channel *channel) {
  const struct ccurl_library *library = channel->library;
  struct ccurl_pipe pipe;
  ccurl_hold_pipe(&pipe);
  if (channel->is_in_multi) library->multi_remove_handle(channel->multi, channel->easy);
  if (channel->easy != NULL) library->easy_cleanup(channel->easy);
  if (channel->multi != NULL) library->multi_cleanup(channel->multi);
  ccurl_release_pipe(&pipe);
  free(channel);
}

static enum ccurl_opening fail(struct ccurl_channel *channel, int code) {
  if (channel->fault[0] == 0) {
    strncpy(channel->fault, channel->library->easy_strerror(code), sizeof channel->fault - 1);
  }
  switch (code) {
  case code_no_host:
    return CCURL_NO_HOST;
  case code_no_connection:
    return CCURL_NO_CONNECTION;
  case code_timed_out:
    return CCURL_NO_ANSWER;
  case code_peer_failed_verification:
    return CCURL_DISTRUSTED;
  default:
    return CCURL_OPENING_FAILED;
  }
}

enum ccurl_opening ccurl_channel_open(struct ccurl_channel *channel, int milliseconds) {
  if (channel->is_connected) return CCURL_OPEN;
  const struct ccurl_library *library = channel->library;
  struct ccurl_pipe pipe;
  ccurl_hold_pipe(&pipe);
  int running = 0, files = 0, left = 0;
  if (library->multi_perform(channel->multi, &running) == 0 && running > 0) {
    library->multi_wait(channel->multi, NULL, 0, milliseconds, &files);
    // Without a descriptor, as while a name is looked up, it may not wait.
    if (files == 0) usleep(resolver_wait_microseconds);
  }
  const struct ccurl_message *message = library->multi_info_read(channel->multi, &left);
  ccurl_release_pipe(&pipe);
  if (message == NULL) return running > 0 ? CCURL_OPENING : fail(channel, code_failed_init);
  if (message->data.result != code_ok) return fail(channel, message->data.result);
  channel->is_connected = true;
  return CCURL_OPEN;
}

int ccurl_channel_file(const struct ccurl_channel *channel) {
  int file = -1;
  const int code = channel->library->easy_getinfo(channel->easy, info_active_socket, &file);
  return code == code_ok ? file : -1;
}

long ccurl_channel_receive(struct ccurl_channel *channel, void *bytes, size_t size) {
  size_t count = 0;
  struct ccurl_pipe pipe;
  ccurl_hold_pipe(&pipe);
  const int code = channel->library->easy_recv(channel->easy, bytes, size, &count);
  ccurl_release_pipe(&pipe);
  if (code == code_again) return CCURL_NOTHING_YET;
  if (code != code_ok) return fail(channel, code), CCURL_CHANNEL_FAILED;
  return count > 0 ? (long)count : CCURL_CHANNEL_CLOSED;
}

long ccurl_channel_send(struct ccurl_channel *channel, const void *bytes, size_t size) {
  size_t count = 0;
  struct ccurl_pipe pipe;
  ccurl_hold_pipe(&pipe);
  const int code = channel->library->easy_send(channel->easy, bytes, size, &count);
  ccurl_release_pipe(&pipe);
  if (code == code_again) return CCURL_NOTHING_YET;
  if (code != code_ok) return fail(channel, code), CCURL_CHANNEL_FAILED;
  return (long)count;
}

const char *ccurl_channel_fault(const struct ccurl_channel *channel) { return channel->fault; }
