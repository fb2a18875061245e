// SQLite by its binary interface (libsqlite3.so.0; https://www.sqlite.org/c3ref/intro.html).
#include "database.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sqlite3;
struct sqlite3_stmt;
enum { sqlite_ok = 0, sqlite_nomem = 7, sqlite_ioerr = 10, sqlite_corrupt = 11, sqlite_cantopen = 14 };
enum { sqlite_notadb = 26, sqlite_row = 100, sqlite_done = 101 };
enum { open_readonly = 0x1, open_readwrite = 0x2, open_memory = 0x80, open_fullmutex = 0x10000 };
enum { deserialize_readonly = 4 };

struct functions {
  int (*open)(const char *, struct sqlite3 **, int, const char *);
  int (*close)(struct sqlite3 *);
  const char *(*errmsg)(struct sqlite3 *);
  int (*deserialize)(struct sqlite3 *, const char *, unsigned char *, int64_t, int64_t, unsigned);
  int (*prepare)(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
  int (*finalize)(struct sqlite3_stmt *);
  int (*reset)(struct sqlite3_stmt *);
  int (*bind_int64)(struct sqlite3_stmt *, int, int64_t);
  int (*bind_text)(struct sqlite3_stmt *, int, const char *, int, void (*)(void *));
  int (*step)(struct sqlite3_stmt *);
  int (*column_type)(struct sqlite3_stmt *, int);
  int64_t (*column_int64)(struct sqlite3_stmt *, int);
  const void *(*column_blob)(struct sqlite3_stmt *, int);
  int (*column_bytes)(struct sqlite3_stmt *, int);
  void (*progress_handler)(struct sqlite3 *, int, int (*)(void *), void *);
};

struct lodestar_database {
  struct functions f;
  struct sqlite3 *base;
  /// The calls of `spend` that are left.
  uint64_t left;
};

struct lodestar_statement {
  struct lodestar_database *database;
  struct sqlite3_stmt *sql;
};

static enum lodestar_database_result result(int code) {
  switch (code & 0xFF) {
  case sqlite_ok: return LODESTAR_DATABASE_OK;
  case sqlite_corrupt:
  case sqlite_notadb: return LODESTAR_DATABASE_DAMAGED;
  case sqlite_cantopen:
  case sqlite_ioerr: return LODESTAR_DATABASE_UNREADABLE;
  case sqlite_nomem: return LODESTAR_DATABASE_NO_MEMORY;
  default: return LODESTAR_DATABASE_FAILED;
  }
}

static bool load(const char *library, struct functions *f, char *reason, size_t size) {
  const struct {
    const char *name;
    void **slot;
  } wanted[] = {
      {"sqlite3_open_v2", (void **)&f->open},
      {"sqlite3_close", (void **)&f->close},
      {"sqlite3_errmsg", (void **)&f->errmsg},
      {"sqlite3_deserialize", (void **)&f->deserialize},
      {"sqlite3_prepare_v2", (void **)&f->prepare},
      {"sqlite3_finalize", (void **)&f->finalize},
      {"sqlite3_reset", (void **)&f->reset},
      {"sqlite3_bind_int64", (void **)&f->bind_int64},
      {"sqlite3_bind_text", (void **)&f->bind_text},
      {"sqlite3_step", (void **)&f->step},
      {"sqlite3_column_type", (void **)&f->column_type},
      {"sqlite3_column_int64", (void **)&f->column_int64},
      {"sqlite3_column_blob", (void **)&f->column_blob},
      {"sqlite3_column_bytes", (void **)&f->column_bytes},
      {"sqlite3_progress_handler", (void **)&f->progress_handler},
  };
  // Never unloaded: SQLite has global state, and other parts of the program may use it.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char *why = dlerror();
    snprintf(reason, size, "%s", why == NULL ? library : why);
    return false;
  }
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].slot = dlsym(handle, wanted[i].name);
    if (*wanted[i].slot == NULL) {
      snprintf(reason, size, "%s has no %s", library, wanted[i].name);
      return false;
    }
  }
  return true;
}

enum lodestar_database_result lodestar_database_open(
    const char *library, const char *path, const uint8_t *bytes, size_t size,
    struct lodestar_database **database, char *reason, size_t reason_size) {
  *database = NULL;
  struct lodestar_database *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return LODESTAR_DATABASE_NO_MEMORY;
  if (!load(library, &opened->f, reason, reason_size)) {
    free(opened);
    return LODESTAR_DATABASE_NO_LIBRARY;
  }
  int flags = path == NULL ? open_readwrite | open_memory : open_readonly;
  int code = opened->f.open(
      path == NULL ? ":memory:" : path, &opened->base, flags | open_fullmutex, NULL);
  if (code == sqlite_ok && path == NULL)
    // Read-only: SQLite neither writes the bytes nor frees them.
    code = opened->f.deserialize(
        opened->base, "main", (unsigned char *)(uintptr_t)bytes, (int64_t)size, (int64_t)size,
        deserialize_readonly);
  if (code != sqlite_ok) {
    snprintf(
        reason, reason_size, "%s", opened->base ? opened->f.errmsg(opened->base) : "out of memory");
    lodestar_database_close(opened);
    return result(code);
  }
  *database = opened;
  return LODESTAR_DATABASE_OK;
}

void lodestar_database_close(struct lodestar_database *database) {
  if (database == NULL) return;
  if (database->base != NULL) database->f.close(database->base);
  free(database);
}

enum { steps_per_call = 1000 };

static int spend(void *database) {
  uint64_t *left = &((struct lodestar_database *)database)->left;
  if (*left == 0) return 1;
  *left -= 1;
  return 0;
}

void lodestar_database_limit(struct lodestar_database *database, uint64_t steps) {
  database->left = steps / steps_per_call;
  database->f.progress_handler(database->base, steps_per_call, spend, database);
}

bool lodestar_database_is_spent(struct lodestar_database *database) { return database->left == 0; }

const char *lodestar_database_reason(struct lodestar_database *database) {
  return database->f.errmsg(database->base);
}

enum lodestar_database_result lodestar_statement_prepare(
    struct lodestar_database *database, const char *sql, struct lodestar_statement **statement) {
  *statement = NULL;
  struct lodestar_statement *made = calloc(1, sizeof *made);
  if (made == NULL) return LODESTAR_DATABASE_NO_MEMORY;
  made->database = database;
  int code = database->f.prepare(database->base, sql, -1, &made->sql, NULL);
  if (code != sqlite_ok) {
    free(made);
    return result(code);
  }
  *statement = made;
  return LODESTAR_DATABASE_OK;
}

void lodestar_statement_finish(struct lodestar_statement *statement) {
  if (statement == NULL) return;
  statement->database->f.finalize(statement->sql);
  free(statement);
}

void lodestar_statement_reset(struct lodestar_statement *statement) {
  // Its result repeats the error of the last step, which is already reported.
  statement->database->f.reset(statement->sql);
}

enum lodestar_database_result lodestar_statement_bind_integer(
    struct lodestar_statement *statement, int parameter, int64_t value) {
  return result(statement->database->f.bind_int64(statement->sql, parameter, value));
}

enum lodestar_database_result lodestar_statement_bind_text(
    struct lodestar_statement *statement, int parameter, const char *text, int length) {
  // SQLITE_TRANSIENT: it makes a copy.
  void (*transient)(void *) = (void (*)(void *))(intptr_t)-1;
  return result(
      statement->database->f.bind_text(statement->sql, parameter, text, length, transient));
}

enum lodestar_database_result lodestar_statement_step(
    struct lodestar_statement *statement, bool *row) {
  int code = statement->database->f.step(statement->sql);
  *row = code == sqlite_row;
  return code == sqlite_row || code == sqlite_done ? LODESTAR_DATABASE_OK : result(code);
}

bool lodestar_statement_is_null(struct lodestar_statement *statement, int column) {
  enum { sqlite_null = 5 };
  return statement->database->f.column_type(statement->sql, column) == sqlite_null;
}

int64_t lodestar_statement_integer(struct lodestar_statement *statement, int column) {
  return statement->database->f.column_int64(statement->sql, column);
}

const uint8_t *lodestar_statement_bytes(
    struct lodestar_statement *statement, int column, size_t *length) {
  const void *bytes = statement->database->f.column_blob(statement->sql, column);
  int count = statement->database->f.column_bytes(statement->sql, column);
  *length = bytes == NULL || count < 0 ? 0 : (size_t)count;
  return bytes;
}
