// libcurl by its binary interface, loaded at the first use: needs no headers to build and no library to
// start. One HTTP request at a time for each exchange, with limits of time and size.
#ifndef LODESTAR_CCURL_H
#define LODESTAR_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A loaded libcurl; stays loaded until the process ends, and may be used from any thread.
struct ccurl_library;
/// One request, used from one thread.
struct ccurl_exchange;

/// Loads libcurl by its name, such as libcurl.so.4; NULL if it is missing, lacks a used function, or cannot
/// start. One call at a time.
struct ccurl_library *ccurl_load(const char *name);

enum ccurl_outcome {
  /// An answer was received.
  CCURL_DONE,
  /// The answer exceeds the limit.
  CCURL_TOO_LARGE,
  /// The timeout has passed.
  CCURL_TIMED_OUT,
  /// The server does not use HTTP.
  CCURL_NOT_HTTP,
  /// Another fault, described by its text.
  CCURL_FAILED,
};

struct ccurl_request {
  /// http or https; no other scheme is accepted.
  const char *url;
  const char *user_agent;
  const uint8_t *body;
  size_t body_size;
  /// Timeouts of the connection and of the whole exchange, milliseconds.
  long connect_milliseconds;
  long total_milliseconds;
  /// A file with the trusted certificates (PEM); NULL for the system's.
  const char *authorities;
};

struct ccurl_answer {
  /// The buffer of the content and its size in bytes; the header may have as many.
  uint8_t *body;
  size_t limit;
  /// The number of bytes of the content.
  size_t size;
  /// The HTTP status.
  long status;
  bool has_retry_after;
  /// The value of Retry-After; empty if it does not fit.
  char retry_after[64];
  /// libcurl's message for a failure.
  char fault[256];
};

/// Makes an exchange; NULL without memory.
struct ccurl_exchange *ccurl_begin(const struct ccurl_library *library);
/// Adds a header, such as `Accept: text/plain`; `Name:` removes one of libcurl's own.
bool ccurl_add_header(struct ccurl_exchange *exchange, const char *line);
/// Sends a POST and waits for the answer; a further one uses the same connection where that is possible. The
/// certificate must be valid and the host's; a redirection is not followed. A resolver that hangs may exceed the
/// timeout.
enum ccurl_outcome ccurl_post(
    struct ccurl_exchange *exchange, const struct ccurl_request *request,
    struct ccurl_answer *answer);
/// Releases an exchange.
void ccurl_end(struct ccurl_exchange *exchange);

/// A TLS connection without HTTP, used from one thread.
struct ccurl_channel;

/// Makes a connection; NULL without memory, or for a name that is too long.
/// - host: the name or address, without brackets, that the certificate must be for.
/// - authorities: a file with the trusted certificates (PEM); NULL for the system's.
/// - milliseconds: timeout of the connection with its handshake.
struct ccurl_channel *ccurl_channel_begin(
    const struct ccurl_library *library, const char *host, int port, const char *authorities,
    long milliseconds);

enum ccurl_opening {
  CCURL_OPEN,
  /// Not ended: call again.
  CCURL_OPENING,
  CCURL_NO_HOST,
  CCURL_NO_CONNECTION,
  CCURL_NO_ANSWER,
  /// The certificate is not trusted, or is another host's.
  CCURL_DISTRUSTED,
  CCURL_OPENING_FAILED,
};

/// Continues to look up, connect and shake hands; waits at most so long.
enum ccurl_opening ccurl_channel_open(struct ccurl_channel *channel, int milliseconds);
/// The descriptor of an open connection, for `poll`; -1 for none.
int ccurl_channel_file(const struct ccurl_channel *channel);

/// Results of the two following functions that are no number of bytes.
static const long CCURL_NOTHING_YET = 0, CCURL_CHANNEL_CLOSED = -1, CCURL_CHANNEL_FAILED = -2;

/// Reads the bytes that have arrived. The descriptor may only be waited for after it has returned
/// `CCURL_NOTHING_YET`.
long ccurl_channel_receive(struct ccurl_channel *channel, void *bytes, size_t size);
/// Writes as many bytes as are accepted at once.
long ccurl_channel_send(struct ccurl_channel *channel, const void *bytes, size_t size);
/// libcurl's text for the last failure.
const char *ccurl_channel_fault(const struct ccurl_channel *channel);
/// Closes and releases a channel.
void ccurl_channel_end(struct ccurl_channel *channel);

#endif
