// libdbus-1 by its binary interface, loaded when it is first needed: no headers to build with, no library to
// start with. Connections, messages and iterators are libdbus's; one thread uses a connection and its
// messages. No function waits but cdbus_open, for as long as connecting to a socket takes.
#ifndef LODESTAR_CDBUS_H
#define LODESTAR_CDBUS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether libdbus-1.so.3 could be loaded, with every function that is used here.
bool cdbus_load(void);
/// A pipe whose ends do not block and are closed in other programs; false where there is none to be had.
bool cdbus_pipe(int ends[2]);

// --- connections

struct cdbus_fault {
  /// The D-Bus name of the error, such as org.freedesktop.DBus.Error.NoServer.
  char name[128];
  char message[384];
};

/// Connects to an address such as unix:path=/run/dbus/system_bus_socket; NULL where that fails.
void *cdbus_open(const char *address, struct cdbus_fault *fault);
/// Closes and releases a connection.
void cdbus_close(void *connection);
/// The socket, to be polled; -1 where there is none.
int cdbus_descriptor(void *connection);
/// Reads and writes what can be without waiting; false once the connection is gone.
bool cdbus_turn(void *connection);
/// Whether something waits to be written.
bool cdbus_is_writing(void *connection);
/// The next message that was received, to be released; NULL where there is none.
void *cdbus_receive(void *connection);
/// Queues a message; false where memory is short.
bool cdbus_send(void *connection, void *message, uint32_t *serial);

// --- messages. Those that make one return NULL where a name or path is not valid.

enum cdbus_kind { CDBUS_CALL = 1, CDBUS_REPLY = 2, CDBUS_FAULT = 3, CDBUS_SIGNAL = 4 };

void *cdbus_make_call(
    const char *destination, const char *path, const char *interface, const char *member);
void *cdbus_make_signal(const char *path, const char *interface, const char *member);
void *cdbus_make_reply(void *call);
void *cdbus_make_fault(void *call, const char *name, const char *text);
void cdbus_release(void *message);

int cdbus_message_kind(void *message);
uint32_t cdbus_reply_serial(void *message);
bool cdbus_wants_reply(void *message);
/// The header's fields; NULL where the message has none. They live as long as the message.
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

/// Begins to read; false where the message has no values.
bool cdbus_read(void *message, struct cdbus_iterator *iterator);
/// The type code of the present value, 0 behind the last.
int cdbus_type(struct cdbus_iterator *iterator);
/// The type code of an array's elements.
int cdbus_element_type(struct cdbus_iterator *iterator);
bool cdbus_next(struct cdbus_iterator *iterator);
void cdbus_enter(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Copies the signature of the present value; false where it does not fit.
bool cdbus_signature(struct cdbus_iterator *iterator, char *signature, unsigned size);
/// A number or Boolean: its bits, signed ones extended, a double's as they are.
uint64_t cdbus_number(struct cdbus_iterator *iterator);
/// A string, path or signature; it lives as long as the message.
const char *cdbus_text(struct cdbus_iterator *iterator);
/// The bytes of an array of bytes that was entered; they live as long as the message.
const uint8_t *cdbus_bytes(struct cdbus_iterator *inner, int *count);

/// Begins to append. The functions below return false where memory is short or text is not valid.
void cdbus_append(void *message, struct cdbus_iterator *iterator);
bool cdbus_append_number(struct cdbus_iterator *iterator, int type, uint64_t bits);
bool cdbus_append_text(struct cdbus_iterator *iterator, int type, const char *text);
/// Appends bytes to an array of bytes that was begun.
bool cdbus_append_bytes(struct cdbus_iterator *iterator, const uint8_t *bytes, int count);
/// Begins a container; `signature` is that of an array's elements or a variant's value, else NULL.
bool cdbus_begin(
    struct cdbus_iterator *iterator, int type, const char *signature, struct cdbus_iterator *inner);
bool cdbus_end(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Gives a container up after a failure inside it; the message can only be released then.
void cdbus_abandon(struct cdbus_iterator *iterator, struct cdbus_iterator *inner);
/// Whether text is one complete type, such as a{sv}.
bool cdbus_is_single_type(const char *signature);

#endif
