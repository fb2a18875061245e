// The functions and numbers of libmosquitto that are used. Its binary interface has been libmosquitto.so.1 since 1.0;
// enumerations only grow.
#ifndef LODESTAR_CMOSQUITTO_LIBRARY_H
#define LODESTAR_CMOSQUITTO_LIBRARY_H

#include "cmosquitto.h"

/// Declarations: mosquitto.h of mosquitto 2.0.11. `struct mosquitto` is opaque, enumerations are ints.
#define CMOSQUITTO_FUNCTIONS(F) \
  F(int, lib_version, (int *, int *, int *)) \
  F(int, lib_init, (void)) \
  F(void *, new, (const char *, bool, void *)) \
  F(void, destroy, (void *)) \
  F(int, will_set, (void *, const char *, int, const void *, int, bool)) \
  F(int, username_pw_set, (void *, const char *, const char *)) \
  F(int, tls_set, (void *, const char *, const char *, const char *, const char *, \
                   int (*)(char *, int, int, void *))) \
  F(int, connect, (void *, const char *, int, int)) \
  F(int, disconnect, (void *)) \
  F(int, publish, (void *, int *, const char *, int, const void *, int, bool)) \
  F(int, loop_read, (void *, int)) \
  F(int, loop_write, (void *, int)) \
  F(int, loop_misc, (void *)) \
  F(int, socket, (void *)) \
  F(bool, want_write, (void *)) \
  F(void, connect_callback_set, (void *, void (*)(void *, void *, int))) \
  F(void, publish_callback_set, (void *, void (*)(void *, void *, int))) \
  F(void, log_callback_set, (void *, void (*)(void *, void *, int, const char *))) \
  F(const char *, strerror, (int))

#define CMOSQUITTO_SLOT(result, name, arguments) result(*name) arguments;
struct cmosquitto_library {
  CMOSQUITTO_FUNCTIONS(CMOSQUITTO_SLOT)
};
#undef CMOSQUITTO_SLOT

/// enum mosq_err_t.
enum {
  code_ok = 0,
  code_protocol = 2,
  code_no_connection = 4,
  code_connection_lost = 7,
  code_tls = 8,
  code_errno = 14,
  code_eai = 15,
  code_keepalive = 19,
  code_malformed_packet = 21,
  code_tls_handshake = 23,
};

/// MOSQ_LOG_ERR.
enum { log_error = 1 << 3 };

#endif
