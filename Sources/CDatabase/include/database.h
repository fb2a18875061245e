// As much of SQLite as it takes to read a database. SQLite is loaded when it is first needed, so that no -dev package is
// needed to build and a machine without it gets an error that says so.
#ifndef LODESTAR_CDATABASE_H
#define LODESTAR_CDATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// SQLite's functions, loaded; and one database that is open, with the functions that it was opened by.
struct lodestar_database;
/// A statement that is prepared. One thread at a time uses it and its database.
struct lodestar_statement;

enum lodestar_database_result {
  LODESTAR_DATABASE_OK = 0,
  /// The library, or one of its functions, is not there.
  LODESTAR_DATABASE_NO_LIBRARY,
  /// The file cannot be opened or read.
  LODESTAR_DATABASE_UNREADABLE,
  /// The file is no database, or a damaged one.
  LODESTAR_DATABASE_DAMAGED,
  /// There is no memory left.
  LODESTAR_DATABASE_NO_MEMORY,
  /// Another fault; see the reason.
  LODESTAR_DATABASE_FAILED,
};

/// Opens a database for reading: the file at `path`, or where that is NULL the `size` bytes, which stay where
/// they are and must outlive it. On failure the reason is written, in words.
enum lodestar_database_result lodestar_database_open(
    const char *_Nonnull library, const char *_Nullable path, const uint8_t *_Nullable bytes, size_t size,
    struct lodestar_database *_Nullable *_Nonnull database, char *_Nonnull reason, size_t reason_size);
/// Closes it; its statements must have been finished before.
void lodestar_database_close(struct lodestar_database *_Nullable database);
/// Limits the steps of SQLite's virtual machine that all statements may take from now on; a row takes some
/// ten. Beyond it a step fails. A damaged file may have rows without an end.
void lodestar_database_limit(struct lodestar_database *_Nonnull database, uint64_t steps);
/// Whether the limit was reached; only after `lodestar_database_limit`.
bool lodestar_database_is_spent(struct lodestar_database *_Nonnull database);
/// What went wrong last, in SQLite's words; good until the next call.
const char *_Nonnull lodestar_database_reason(struct lodestar_database *_Nonnull database);

enum lodestar_database_result lodestar_statement_prepare(
    struct lodestar_database *_Nonnull database, const char *_Nonnull sql,
    struct lodestar_statement *_Nullable *_Nonnull statement);
void lodestar_statement_finish(struct lodestar_statement *_Nullable statement);
/// Back before its first row; the next values may be bound.
void lodestar_statement_reset(struct lodestar_statement *_Nonnull statement);
/// Binds the parameter of that number, counted from 1.
enum lodestar_database_result lodestar_statement_bind_integer(
    struct lodestar_statement *_Nonnull statement, int parameter, int64_t value);
/// Binds text of so many bytes of UTF-8, which are copied.
enum lodestar_database_result lodestar_statement_bind_text(
    struct lodestar_statement *_Nonnull statement, int parameter, const char *_Nonnull text, int length);
/// Steps to the next row; `row` is false if there is none.
enum lodestar_database_result lodestar_statement_step(
    struct lodestar_statement *_Nonnull statement, bool *_Nonnull row);
/// Whether the column, counted from 0, holds nothing.
bool lodestar_statement_is_null(struct lodestar_statement *_Nonnull statement, int column);
int64_t lodestar_statement_integer(struct lodestar_statement *_Nonnull statement, int column);
/// The bytes of text or a blob, good until the next step or reset; NULL where there are none.
const uint8_t *_Nullable lodestar_statement_bytes(
    struct lodestar_statement *_Nonnull statement, int column, size_t *_Nonnull length);

#endif
