// The functions of libdbus-1 that are used, as its headers declare them.
#ifndef LODESTAR_CDBUS_LIBRARY_H
#define LODESTAR_CDBUS_LIBRARY_H

#include "cdbus.h"

/// DBusError of libdbus 1.
struct cdbus_library_error {
  const char *name;
  const char *message;
  unsigned bits;
  void *padding;
};

/// dbus_bool_t is 32 bits wide.
typedef uint32_t cdbus_bool;

#define CDBUS_FUNCTIONS(F) \
  F(void, error_init, (struct cdbus_library_error *)) \
  F(void, error_free, (struct cdbus_library_error *)) \
  F(void, free, (void *)) \
  F(void *, connection_open_private, (const char *, struct cdbus_library_error *)) \
  F(void, connection_close, (void *)) \
  F(void, connection_unref, (void *)) \
  F(void, connection_set_exit_on_disconnect, (void *, cdbus_bool)) \
  F(void, connection_set_change_sigpipe, (cdbus_bool)) \
  F(void, connection_set_max_message_size, (void *, long)) \
  F(void, connection_set_max_received_size, (void *, long)) \
  F(cdbus_bool, connection_get_is_connected, (void *)) \
  F(cdbus_bool, connection_get_unix_fd, (void *, int *)) \
  F(cdbus_bool, connection_read_write, (void *, int)) \
  F(cdbus_bool, connection_has_messages_to_send, (void *)) \
  F(void *, connection_pop_message, (void *)) \
  F(cdbus_bool, connection_send, (void *, void *, uint32_t *)) \
  F(void *, message_new_method_call, (const char *, const char *, const char *, const char *)) \
  F(void *, message_new_signal, (const char *, const char *, const char *)) \
  F(cdbus_bool, message_set_destination, (void *, const char *)) \
  F(void *, message_new_method_return, (void *)) \
  F(void *, message_new_error, (void *, const char *, const char *)) \
  F(void, message_unref, (void *)) \
  F(int, message_get_type, (void *)) \
  F(uint32_t, message_get_reply_serial, (void *)) \
  F(cdbus_bool, message_get_no_reply, (void *)) \
  F(const char *, message_get_sender, (void *)) \
  F(const char *, message_get_path, (void *)) \
  F(const char *, message_get_interface, (void *)) \
  F(const char *, message_get_member, (void *)) \
  F(const char *, message_get_error_name, (void *)) \
  F(cdbus_bool, message_iter_init, (void *, struct cdbus_iterator *)) \
  F(void, message_iter_init_append, (void *, struct cdbus_iterator *)) \
  F(int, message_iter_get_arg_type, (struct cdbus_iterator *)) \
  F(int, message_iter_get_element_type, (struct cdbus_iterator *)) \
  F(cdbus_bool, message_iter_next, (struct cdbus_iterator *)) \
  F(void, message_iter_recurse, (struct cdbus_iterator *, struct cdbus_iterator *)) \
  F(char *, message_iter_get_signature, (struct cdbus_iterator *)) \
  F(void, message_iter_get_basic, (struct cdbus_iterator *, void *)) \
  F(void, message_iter_get_fixed_array, (struct cdbus_iterator *, void *, int *)) \
  F(cdbus_bool, message_iter_append_basic, (struct cdbus_iterator *, int, const void *)) \
  F(cdbus_bool, message_iter_append_fixed_array, \
    (struct cdbus_iterator *, int, const void *, int)) \
  F(cdbus_bool, message_iter_open_container, \
    (struct cdbus_iterator *, int, const char *, struct cdbus_iterator *)) \
  F(cdbus_bool, message_iter_close_container, (struct cdbus_iterator *, struct cdbus_iterator *)) \
  F(void, message_iter_abandon_container, (struct cdbus_iterator *, struct cdbus_iterator *)) \
  F(cdbus_bool, signature_validate, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, signature_validate_single, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_path, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_interface, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_member, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_error_name, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_bus_name, (const char *, struct cdbus_library_error *)) \
  F(cdbus_bool, validate_utf8, (const char *, struct cdbus_library_error *))

#define CDBUS_SLOT(result, name, arguments) result(*name) arguments;
struct cdbus_library {
  CDBUS_FUNCTIONS(CDBUS_SLOT)
};
#undef CDBUS_SLOT

/// The functions; all NULL until cdbus_load has returned true.
extern struct cdbus_library cdbus_library;

#endif
