// The functions and numbers of libcurl that are used. Its binary interface has been libcurl.so.4 since 7.16;
// numbers are added and never changed (https://curl.se/libcurl/abi.html).
#ifndef LODESTAR_CCURL_LIBRARY_H
#define LODESTAR_CCURL_LIBRARY_H

#include "ccurl.h"

#include <signal.h>

/// CURLMsg of include/curl/multi.h.
struct ccurl_message {
  int kind;
  void *easy;
  union {
    void *whatever;
    int result;
  } data;
};

/// Declarations: include/curl/curl.h, easy.h and multi.h of curl 7.88.1. Enumerations are ints.
#define CCURL_FUNCTIONS(F) \
  F(int, global_init, (long)) \
  F(void *, easy_init, (void)) \
  F(int, easy_setopt, (void *, int, ...)) \
  F(int, easy_perform, (void *)) \
  F(int, easy_getinfo, (void *, int, ...)) \
  F(const char *, easy_strerror, (int)) \
  F(void, easy_cleanup, (void *)) \
  F(int, easy_recv, (void *, void *, size_t, size_t *)) \
  F(int, easy_send, (void *, const void *, size_t, size_t *)) \
  F(void *, multi_init, (void)) \
  F(int, multi_add_handle, (void *, void *)) \
  F(int, multi_remove_handle, (void *, void *)) \
  F(int, multi_perform, (void *, int *)) \
  F(int, multi_wait, (void *, void *, unsigned, int, int *)) \
  F(struct ccurl_message *, multi_info_read, (void *, int *)) \
  F(int, multi_cleanup, (void *)) \
  F(void *, slist_append, (void *, const char *)) \
  F(void, slist_free_all, (void *))

#define CCURL_SLOT(result, name, arguments) result(*name) arguments;
struct ccurl_library {
  CCURL_FUNCTIONS(CCURL_SLOT)
};
#undef CCURL_SLOT

/// CURLoption. Longs count from 0, pointers from 10000, functions from 20000.
enum ccurl_option {
  option_write_data = 10001,
  option_url = 10002,
  option_error_buffer = 10010,
  option_post_fields = 10015,
  option_user_agent = 10018,
  option_http_header = 10023,
  option_header_data = 10029,
  option_authorities_file = 10065,
  option_write_function = 20011,
  option_header_function = 20079,
  option_post = 47,
  option_follow_location = 52,
  option_post_field_size = 60,
  option_verify_peer = 64,
  option_verify_host = 81,
  option_no_signal = 99,
  option_connect_only = 141,
  option_timeout_milliseconds = 155,
  option_connect_timeout_milliseconds = 156,
  option_keep_alive = 213,
  option_keep_alive_idle = 214,
  option_keep_alive_interval = 215,
  option_enable_alpn = 226,
  // For versions before option_protocols_text.
  option_protocols = 181,
  // Since 7.54.
  option_suppress_connect_headers = 265,
  // Since 7.64; earlier versions accept an answer without a header.
  option_http09_allowed = 285,
  // Since 7.85.
  option_protocols_text = 10318,
};

/// CURLINFO: a long's number from 0x200000, a socket's from 0x500000.
enum { info_response_code = 0x200002, info_active_socket = 0x50002C };

/// CURL_GLOBAL_DEFAULT: with TLS.
enum { global_default = 3 };

/// CURLPROTO_HTTP and CURLPROTO_HTTPS.
enum { protocol_http = 1, protocol_https = 2 };

/// CURLcode.
enum {
  code_ok = 0,
  code_unsupported_protocol = 1,
  code_failed_init = 2,
  code_no_host = 6,
  code_no_connection = 7,
  code_weird_server_reply = 8,
  code_write_error = 23,
  code_timed_out = 28,
  code_unknown_option = 48,
  code_peer_failed_verification = 60,
  code_again = 81,
};

/// The silence of a channel before, and the interval of, the kernel's probes, s.
static const long keep_alive_seconds = 15;

/// The wait for the resolver's thread, us.
enum { resolver_wait_microseconds = 5000 };

/// CURL_ERROR_SIZE.
enum { fault_size = 256 };

/// SIGPIPE while libcurl writes: in older versions the TLS library writes without MSG_NOSIGNAL.
struct ccurl_pipe {
  sigset_t before, pending;
};

/// Blocks the signal in this thread.
void ccurl_hold_pipe(struct ccurl_pipe *pipe);
/// Removes a signal that has come meanwhile, and restores the thread's mask.
void ccurl_release_pipe(const struct ccurl_pipe *pipe);

#endif
