#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct cdbus_library cdbus_library;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
#define CDBUS_FIND(result, name, arguments) \
  *(void **)&cdbus_library.name = dlsym(handle, "dbus_" #name); \
  if (cdbus_library.name == NULL) return;
  CDBUS_FUNCTIONS(CDBUS_FIND)
#undef CDBUS_FIND
  // By default libdbus makes the whole process ignore SIGPIPE; its writes do not raise it (MSG_NOSIGNAL).
  cdbus_library.connection_set_change_sigpipe(0);
  loaded = true;
}

bool cdbus_load(void) {
  pthread_once(&once, load);
  return loaded;
}

bool cdbus_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0; }

// A larger message, in bytes, closes the connection. The largest expected one, a daemon's list of all its
// objects, has about 1 KiB for each device.
#define MESSAGE_LIMIT (4L << 20)

static void copy(char *to, unsigned size, const char *text) {
  size_t count = text == NULL ? 0 : strnlen(text, size - 1);
  if (count > 0) memcpy(to, text, count);
  to[count] = 0;
}

void *cdbus_open(const char *address, struct cdbus_fault *fault) {
  struct cdbus_library_error error;
  cdbus_library.error_init(&error);
  void *connection = cdbus_library.connection_open_private(address, &error);
  copy(fault->name, sizeof fault->name, error.name);
  copy(fault->message, sizeof fault->message, error.message);
  cdbus_library.error_free(&error);
  if (connection == NULL) return NULL;
  // By default libdbus ends the process when the bus is lost.
  cdbus_library.connection_set_exit_on_disconnect(connection, 0);
  cdbus_library.connection_set_max_message_size(connection, MESSAGE_LIMIT);
  cdbus_library.connection_set_max_received_size(connection, 2 * MESSAGE_LIMIT);
  return connection;
}

void cdbus_close(void *connection) {
  cdbus_library.connection_close(connection);
  cdbus_library.connection_unref(connection);
}

int cdbus_descriptor(void *connection) {
  int descriptor = -1;
  return cdbus_library.connection_get_unix_fd(connection, &descriptor) ? descriptor : -1;
}

bool cdbus_turn(void *connection) {
  return cdbus_library.connection_read_write(connection, 0) != 0 &&
         cdbus_library.connection_get_is_connected(connection) != 0;
}

bool cdbus_is_writing(void *connection) {
  return cdbus_library.connection_has_messages_to_send(connection) != 0;
}

void *cdbus_receive(void *connection) { return cdbus_library.connection_pop_message(connection); }

bool cdbus_send(void *connection, void *message, uint32_t *serial) {
  return cdbus_library.connection_send(connection, message, serial) != 0;
}

// libdbus prints an invalid name to standard error.
static bool is_valid(
    const char *destination, const char *path, const char *interface, const char *member) {
  return (destination == NULL || cdbus_library.validate_bus_name(destination, NULL)) &&
         cdbus_library.validate_path(path, NULL) &&
         cdbus_library.validate_interface(interface, NULL) &&
         cdbus_library.validate_member(member, NULL);
}

void *cdbus_make_call(
    const char *destination, const char *path, const char *interface, const char *member) {
  if (!is_valid(destination, path, interface, member)) return NULL;
  return cdbus_library.message_new_method_call(destination, path, interface, member);
}

void *cdbus_make_signal(
    const char *destination, const char *path, const char *interface, const char *member) {
  if (!is_valid(destination, path, interface, member)) return NULL;
  void *signal = cdbus_library.message_new_signal(path, interface, member);
  if (signal == NULL || destination == NULL) return signal;
  if (cdbus_library.message_set_destination(signal, destination)) return signal;
  cdbus_release(signal);
  return NULL;
}

void *cdbus_make_reply(void *call) { return cdbus_library.message_new_method_return(call); }

void *cdbus_make_fault(void *call, const char *name, const char *text) {
  if (!cdbus_library.validate_error_name(name, NULL)) return NULL;
  if (!cdbus_library.validate_utf8(text, NULL)) return NULL;
  return cdbus_library.message_new_error(call, name, text);
}

void cdbus_release(void *message) { cdbus_library.message_unref(message); }

int cdbus_message_kind(void *message) { return cdbus_library.message_get_type(message); }

uint32_t cdbus_reply_serial(void *message) {
  return cdbus_library.message_get_reply_serial(message);
}

bool cdbus_wants_reply(void *message) { return cdbus_library.message_get_no_reply(message) == 0; }

const char *cdbus_sender(void *message) { return cdbus_library.message_get_sender(message); }

const char *cdbus_path(void *message) { return cdbus_library.message_get_path(message); }

const char *cdbus_interface(void *message) { return cdbus_library.message_get_interface(message); }

const char *cdbus_member(void *message) { return cdbus_library.message_get_member(message); }

const char *cdbus_fault_name(void *message) { return cdbus_library.message_get_error_name(message); }
