#define _GNU_SOURCE
#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct ccurl_exchange {
  const struct ccurl_library *library;
  void *easy;
  void *headers;
  struct ccurl_answer *answer;
  size_t header_size;
  bool is_too_large;
  // The status of an answer whose header does not end is none.
  bool is_header_too_large;
};

struct ccurl_exchange *ccurl_begin(const struct ccurl_library *library) {
  struct ccurl_exchange *exchange = calloc(1, sizeof *exchange);
  if (exchange == NULL) return NULL;
  exchange->library = library;
  exchange->easy = library->easy_init();
  if (exchange->easy == NULL) {
    free(exchange);
    return NULL;
  }
  return exchange;
}

void ccurl_end(struct ccurl_exchange *exchange) {
  exchange->library->easy_cleanup(exchange->easy);
  exchange->library->slist_free_all(exchange->headers);
  free(exchange);
}

bool ccurl_add_header(struct ccurl_exchange *exchange, const char *line) {
  void *longer = exchange->library->slist_append(exchange->headers, line);
  if (longer == NULL) return false;
  exchange->headers = longer;
  return true;
}

// The callbacks for received data. A result smaller than the given count ends the exchange.

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_exchange *exchange = context;
  struct ccurl_answer *answer = exchange->answer;
  count *= size;
  if (count > answer->limit - answer->size) {
    exchange->is_too_large = true;
    return 0;
  }
  if (count > 0) memcpy(answer->body + answer->size, bytes, count);
  answer->size += count;
  return count;
}

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void take_retry_after(const char *value, size_t count, struct ccurl_answer *answer) {
  while (count > 0 && is_blank(value[count - 1])) count -= 1;
  while (count > 0 && is_blank(*value)) value += 1, count -= 1;
  // A truncated number would be a wrong number.
  if (count >= sizeof answer->retry_after) count = 0;
  memcpy(answer->retry_after, value, count);
  answer->retry_after[count] = 0;
  answer->has_retry_after = true;
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
  static const char wanted[] = "retry-after:", first[] = "HTTP/";
  struct ccurl_exchange *exchange = context;
  count *= size;
  if (count > exchange->answer->limit - exchange->header_size) {
    exchange->is_too_large = exchange->is_header_too_large = true;
    return 0;
  }
  exchange->header_size += count;
  // A new header starts: the previous one was of an interim answer.
  if (count >= sizeof first - 1 && memcmp(line, first, sizeof first - 1) == 0) {
    exchange->answer->has_retry_after = false;
  }
  const size_t name = sizeof wanted - 1;
  if (count >= name && strncasecmp(line, wanted, name) == 0) {
    take_retry_after(line + name, count - name, exchange->answer);
  }
  return count;
}

// The request.

/// Sets every option; returns code_ok, or the error of a refused one.
static int set_up(struct ccurl_exchange *exchange, const struct ccurl_request *request) {
  const struct ccurl_library *library = exchange->library;
  void *easy = exchange->easy;
  int code;
#define SET(option, value) \
  if ((code = library->easy_setopt(easy, option, value)) != code_ok) return code
#define SET_WHERE_KNOWN(option, value) \
  code = library->easy_setopt(easy, option, value); \
  if (code != code_ok && code != code_unknown_option) return code
  SET(option_error_buffer, exchange->answer->fault);
  SET(option_no_signal, 1L);
  SET_WHERE_KNOWN(option_protocols_text, "http,https");
  if (code == code_unknown_option) SET(option_protocols, (long)(protocol_http | protocol_https));
  SET_WHERE_KNOWN(option_http09_allowed, 0L);
  SET_WHERE_KNOWN(option_suppress_connect_headers, 1L);
  SET(option_follow_location, 0L);
  SET(option_verify_peer, 1L);
  SET(option_verify_host, 2L);
  SET(option_connect_timeout_milliseconds, request->connect_milliseconds);
  SET(option_timeout_milliseconds, request->total_milliseconds);
  if (request->authorities != NULL) SET(option_authorities_file, request->authorities);
  SET(option_url, request->url);
  SET(option_user_agent, request->user_agent);
  SET(option_http_header, exchange->headers);
  SET(option_post, 1L);
  SET(option_post_field_size, (long)request->body_size);
  SET(option_post_fields, (const char *)request->body);
  SET(option_write_function, take_body);
  SET(option_write_data, (void *)exchange);
  SET(option_header_function, take_header);
  SET(option_header_data, (void *)exchange);
#undef SET_WHERE_KNOWN
#undef SET
  return code_ok;
}

static int perform(struct ccurl_exchange *exchange) {
  struct ccurl_pipe pipe;
  ccurl_hold_pipe(&pipe);
  const int code = exchange->library->easy_perform(exchange->easy);
  ccurl_release_pipe(&pipe);
  return code;
}

enum ccurl_outcome ccurl_post(
    struct ccurl_exchange *exchange, const struct ccurl_request *request,
    struct ccurl_answer *answer) {
  exchange->answer = answer;
  exchange->header_size = 0;
  exchange->is_too_large = exchange->is_header_too_large = false;
  answer->size = 0;
  answer->status = 0;
  answer->has_retry_after = false;
  answer->fault[0] = 0;
  int code = set_up(exchange, request);
  if (code == code_ok) code = perform(exchange);
  if (code == code_ok) {
    code = exchange->library->easy_getinfo(exchange->easy, info_response_code, &answer->status);
  } else if (exchange->is_too_large && !exchange->is_header_too_large) {
    exchange->library->easy_getinfo(exchange->easy, info_response_code, &answer->status);
  }
  if (code != code_ok && answer->fault[0] == 0) {
    strncpy(answer->fault, exchange->library->easy_strerror(code), sizeof answer->fault - 1);
    answer->fault[sizeof answer->fault - 1] = 0;
  }
  // The exchange may outlive the answer.
  exchange->library->easy_setopt(exchange->easy, option_error_buffer, NULL);
  exchange->answer = NULL;
  if (exchange->is_too_large) return CCURL_TOO_LARGE;
  switch (code) {
  case code_ok:
    return answer->status > 0 ? CCURL_DONE : CCURL_NOT_HTTP;
  case code_timed_out:
    return CCURL_TIMED_OUT;
  case code_weird_server_reply:
  case code_unsupported_protocol:
    return CCURL_NOT_HTTP;
  default:
    return CCURL_FAILED;
  }
}
