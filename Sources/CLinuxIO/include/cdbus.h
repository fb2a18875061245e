// libdbus-1 by its binary interface, loaded at the first use: needs no headers to build and no library to
// start. Connections, messages and iterators are libdbus's; a connection and its messages are used from one
// thread. Only cdbus_open waits, for the connection of a socket.
#ifndef LODESTAR_CDBUS_H
#define LODESTAR_CDBUS_H

#include <stdbool.h>
#include <stdint.h>

/// Loads libdbus-1.so.3; false if it or a used function is missing.
bool cdbus_load(void);
/// Makes a non-blocking, close-on-exec pipe; false on failure.
bool cdbus_pipe(int ends[2]);

// --- connections

struct cdbus_fault {
  /// The D-Bus name of the error, such as org.freedesktop.DBus.Error.NoServer.
  char name[128];
  char message[384];
};

/// Connects to an address such as unix:path=/run/dbus/system_bus_socket; NULL on failure.
void *cdbus_open(const char *address, struct cdbus_fault *fault);
/// Closes and releases a connection.
void cdbus_close(void *connection);
/// The socket to poll; -1 for none.
int cdbus_descriptor(void *connection);
/// Reads and writes without waiting; false when the connection is lost.
bool cdbus_turn(void *connection);
/// Whether bytes wait to be written.
bool cdbus_is_writing(void *connection);
/// The next received message, which the caller must release; NULL for none.
void *cdbus_receive(void *connection);
/// Queues a message; false without memory.
bool cdbus_send(void *connection, void *message, uint32_t *serial);

// --- messages. The functions that make one return NULL for an invalid name or path.

enum cdbus_kind { CDBUS_CALL = 1, CDBUS_REPLY = 2, CDBUS_FAULT = 3, CDBUS_SIGNAL = 4 };

void *cdbus_make_call(
    const char *destination, const char *path, const char *interface, const char *member);
/// A signal for one connection, or for all whose rules select it where destination is NULL.
void *cdbus_make_signal(
    const char *destination, const char *path, const char *interface, const char *member);
void *cdbus_make_reply(void *call);
void *cdbus_make_fault(void *call, const char *name, const char *text);
void cdbus_release(void *message);

int cdbus_message_kind(void *message);
uint32_t cdbus_reply_serial(void *message);
bool cdbus_wants_reply(void *message);
/// The header's fields; NULL for none. Valid until the message is released.
const char *cdbus_sender(void *message);
const char *cdbus_path(void *message);
const char *cdbus_interface(void *message);
const char *cdbus_member(void *message);
const char *cdbus_fault_name(void *message);

// --- values

/// A DBusMessageIter of libdbus 1 (72 bytes where pointers have 8), with room to spare.
struct cdbus_iterator {
  uint64_t opaque[16];
};

/// Starts to read; false if the message has no values.
bool cdbus_read(void *message, struct cdbus_iterator *iterator);
/// The type code of the present value, 0 after the last.
int cdbus_type(struct cdbus_iterator *iterator);
/// The type code of an array's elements.
int cdbus_element_type(struct cdbus_iterator *iterator);
bool cdbus_next(struct cdbus_iterator *iterator);
void cdbus_enter(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Copies the signature of the present value; false if it does not fit.
bool cdbus_signature(struct cdbus_iterator *iterator, char *signature, unsigned size);
/// The bits of a number or Boolean; signed ones are sign-extended, a double's are unchanged.
uint64_t cdbus_number(struct cdbus_iterator *iterator);
/// A string, path or signature; valid until the message is released.
const char *cdbus_text(struct cdbus_iterator *iterator);
/// The bytes of an entered array of bytes; valid until the message is released.
const uint8_t *cdbus_bytes(struct cdbus_iterator *inner, int *count);

/// Starts to append. The functions below return false without memory or for invalid text.
void cdbus_append(void *message, struct cdbus_iterator *iterator);
bool cdbus_append_number(struct cdbus_iterator *iterator, int type, uint64_t bits);
bool cdbus_append_text(struct cdbus_iterator *iterator, int type, const char *text);
/// Appends bytes to an opened array of bytes.
bool cdbus_append_bytes(struct cdbus_iterator *iterator, const uint8_t *bytes, int count);
/// Opens a container; `signature` is that of an array's elements or a variant's value, else NULL.
bool cdbus_begin(
    struct cdbus_iterator *iterator, int type, const char *signature, struct cdbus_iterator *inner);
bool cdbus_end(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Abandons a container after a failure inside it; afterwards the message can only be released.
void cdbus_abandon(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Whether text is one complete type, such as a{sv}.
bool cdbus_is_single_type(const char *signature);

#endif
