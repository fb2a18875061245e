// libcurl by its binary interface, loaded when it is first needed: no headers to build with, no library to
// start with. One HTTP request at a time for each exchange, within bounds of time and size.
#ifndef LODESTAR_CCURL_H
#define LODESTAR_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A libcurl that was loaded; it stays for the life of the process and may be used by any thread.
struct ccurl_library;
/// One request, of the thread that uses it.
struct ccurl_exchange;

/// Loads libcurl by its name, such as libcurl.so.4; NULL where there is none of that name, it lacks a function
/// that is used here, or it cannot start. One call at a time.
struct ccurl_library *ccurl_load(const char *name);

enum ccurl_outcome {
  /// There is an answer.
  CCURL_DONE,
  /// There is more of an answer than is wanted.
  CCURL_TOO_LARGE,
  /// The time was over.
  CCURL_TIMED_OUT,
  /// What answers does not speak HTTP.
  CCURL_NOT_HTTP,
  /// Anything else, as the text of the fault says.
  CCURL_FAILED,
};

struct ccurl_request {
  /// http or https; no other scheme is accepted.
  const char *url;
  const char *user_agent;
  const uint8_t *body;
  size_t body_size;
  /// Milliseconds for connecting, and for all of it.
  long connect_milliseconds;
  long total_milliseconds;
};

struct ccurl_answer {
  /// Where the content goes, and how many bytes it may have; the header may have as many.
  uint8_t *body;
  size_t limit;
  /// How many it has.
  size_t size;
  /// The HTTP status.
  long status;
  bool has_retry_after;
  /// The value of Retry-After, empty where it is longer than this.
  char retry_after[64];
  /// What libcurl says of a failure.
  char fault[256];
};

/// Begins an exchange; NULL where memory is short.
struct ccurl_exchange *ccurl_begin(const struct ccurl_library *library);
/// Adds a header, such as `Accept: text/plain`; `Name:` leaves one out that libcurl adds by itself.
bool ccurl_add_header(struct ccurl_exchange *exchange, const char *line);
/// Sends a POST and waits for the answer. A certificate has to be valid and the host's; a redirection is
/// an answer like any other. A resolver that hangs may take longer than the time.
enum ccurl_outcome ccurl_post(
    struct ccurl_exchange *exchange, const struct ccurl_request *request,
    struct ccurl_answer *answer);
/// Releases an exchange.
void ccurl_end(struct ccurl_exchange *exchange);

#endif
