// libmosquitto by its binary interface, loaded at the first use: needs no headers to build and no library to
// start. One connection of a publisher, driven by the caller's `poll`; nothing is subscribed.
#ifndef LODESTAR_CMOSQUITTO_H
#define LODESTAR_CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>

/// A loaded libmosquitto; stays loaded until the process ends, and may be used from any thread.
struct cmosquitto_library;
/// One connection, used from one thread.
struct cmosquitto_client;

/// Loads libmosquitto by its name, such as libmosquitto.so.1; NULL if it is missing, older than 2.0, lacks a used
/// function, or cannot start. One call at a time.
struct cmosquitto_library *cmosquitto_load(const char *name);

/// What a step has come to.
enum cmosquitto_outcome {
  CMOSQUITTO_DONE,
  /// The host name has no address; the number is getaddrinfo's.
  CMOSQUITTO_UNKNOWN_HOST,
  /// The kernel refused; the number is errno.
  CMOSQUITTO_SYSTEM_ERROR,
  /// The TLS handshake failed; the reason is the text of `cmosquitto_fault`.
  CMOSQUITTO_TLS,
  /// The broker closed the connection, or answers no longer.
  CMOSQUITTO_LOST,
  /// The broker sent 128 KiB more than the acknowledgements of a publisher.
  CMOSQUITTO_FLOOD,
  /// The broker sent what is not MQTT.
  CMOSQUITTO_NOT_MQTT,
  /// Another fault; the text of `cmosquitto_fault`.
  CMOSQUITTO_FAILED,
};

/// The topic, payload and flags of a message.
struct cmosquitto_message {
  const char *topic;
  const void *payload;
  size_t size;
  /// 0 or 1.
  int qos;
  bool is_retained;
};

/// Where and how a client connects. A text may be NULL.
struct cmosquitto_address {
  const char *host;
  int port;
  /// Seconds without a message after which the connection is tested.
  int keepalive;
  const char *username;
  const char *password;
  bool has_tls;
  /// A file of certificates (PEM); NULL for those of the system.
  const char *ca_file;
  /// The client's certificate and private key (PEM), both or none.
  const char *certificate;
  const char *key;
};

/// Makes a client of MQTT 3.1.1 with a clean session; NULL without memory. Blocks SIGPIPE in the calling thread, which
/// must be the one that uses the client, because the library writes without MSG_NOSIGNAL.
struct cmosquitto_client *cmosquitto_open(const struct cmosquitto_library *library, const char *identifier);
/// Closes the connection without MQTT's DISCONNECT, and releases the client.
void cmosquitto_close(struct cmosquitto_client *client);

/// Connects; `will` is what the broker publishes if the connection is lost. Waits for the resolver and for the TCP
/// connection, which the kernel limits to about two minutes; the handshakes follow in `cmosquitto_turn`.
enum cmosquitto_outcome cmosquitto_connect(
    struct cmosquitto_client *client, const struct cmosquitto_address *address,
    const struct cmosquitto_message *will);
/// The broker's answer: -1 before it, 0 for accepted, else the return code of MQTT 3.1.1 (1 to 5).
int cmosquitto_answer(const struct cmosquitto_client *client);

/// The descriptor for `poll`; -1 without a connection.
int cmosquitto_file(const struct cmosquitto_client *client);
/// True where `poll` has to wait for room to write, too.
bool cmosquitto_wants_write(const struct cmosquitto_client *client);
/// Reads, writes and tests what is due, without waiting. Anything but CMOSQUITTO_DONE ends the connection.
enum cmosquitto_outcome cmosquitto_turn(struct cmosquitto_client *client);

/// Sends a message. Its number is acknowledged with QoS 1 by the broker, with QoS 0 once it is written.
enum cmosquitto_outcome cmosquitto_publish(
    struct cmosquitto_client *client, const struct cmosquitto_message *message, int *number);
/// Takes the number of an acknowledged message; false where there is none.
bool cmosquitto_take_acknowledged(struct cmosquitto_client *client, int *number);
/// Sends the message that ends a connection, so that the broker does not publish the will.
enum cmosquitto_outcome cmosquitto_disconnect(struct cmosquitto_client *client);

/// The number of the last CMOSQUITTO_UNKNOWN_HOST or CMOSQUITTO_SYSTEM_ERROR.
int cmosquitto_number(const struct cmosquitto_client *client);
/// The reason of the last failure, as the library or its TLS library words it; empty for none.
const char *cmosquitto_fault(const struct cmosquitto_client *client);

#endif
