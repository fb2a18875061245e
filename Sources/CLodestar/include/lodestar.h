/* liblodestar: heading and position of the machine, from the daemon `lodestar serve`.
 *
 * Threads: every function may be called on any thread, several at a time; lodestar_close is the last call with a
 * connection, after all others have returned. A connection has a thread of its own and returns to a restarted daemon.
 * One thread waits: a wait consumes the news for all.
 *
 * Versions: a caller sets `size` of a structure to its sizeof; later versions append members, and nothing else changes
 * within a LODESTAR_ABI, which is the number in the name of the library.
 *
 * Units: degrees, metres, metres per second; headings clockwise from north. An unknown number is NAN, an unknown time
 * is 0.
 */
#ifndef LODESTAR_H
#define LODESTAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LODESTAR_ABI 1

/* Results below zero. lodestar_error has the text. */
enum {
  LODESTAR_ERROR_ARGUMENT = -1, /* NULL, an empty name, or a `size` of no version */
  LODESTAR_ERROR_NO_DAEMON = -2, /* no daemon, or it has ended; the connection returns by itself */
  LODESTAR_ERROR_ACCESS = -3,    /* the permission of the socket, or the policy, refuses */
  LODESTAR_ERROR_NO_ANSWER = -4, /* the daemon does not answer, or has sent nothing for 5 s */
  LODESTAR_ERROR_SYSTEM = -5,    /* a system call failed */
  LODESTAR_ERROR_NO_DATA = -6    /* nothing has been received yet: wait */
};

/* What a source gives now. Only LIVE, LATE and CONTRADICTED have values. */
enum {
  LODESTAR_NONE = 0,        /* the board has no such source */
  LODESTAR_LIVE = 1,        /* current */
  LODESTAR_LATE = 2,        /* carried on from an older sample */
  LODESTAR_LOST = 3,        /* nothing any more */
  LODESTAR_CONTRADICTED = 4, /* it disagrees with physics or another source */
  LODESTAR_ENDED = 5,       /* the recording is over */
  LODESTAR_AWAITED = 6      /* nothing yet since the start */
};

typedef struct {
  size_t size;            /* set by the caller: sizeof(lodestar_heading) */
  int32_t state;          /* of the source of headings */
  int32_t is_simulated;   /* 1 for a simulation and a recording */
  int64_t utc;            /* nanoseconds since 1970 */
  double from_true;       /* forward axis from true north, 0 to below 360 */
  double from_magnetic;   /* from magnetic north */
  double true_accuracy;   /* bound of 95 % of the errors */
  double magnetic_accuracy;
  double pitch;           /* bow up positive */
  double roll;            /* right side down positive */
} lodestar_heading;

typedef struct {
  size_t size;            /* set by the caller: sizeof(lodestar_fix) */
  int32_t state;          /* of the source of positions */
  int32_t is_simulated;
  int64_t utc;            /* of the position, nanoseconds since 1970 */
  double latitude;        /* WGS-84, north positive */
  double longitude;       /* east positive */
  double altitude;        /* above mean sea level */
  double ellipsoidal_altitude;
  double horizontal_accuracy; /* radius of 68 % probability */
  double vertical_accuracy;   /* one sigma */
  double speed;
  double speed_accuracy;  /* one sigma */
  double course;          /* over ground, from true north */
  double course_accuracy; /* one sigma */
} lodestar_fix;

/* A connection to the daemon. */
typedef struct lodestar_connection lodestar_connection;

/* LODESTAR_ABI of the library. */
int lodestar_abi(void);

/* The text of this thread's last failed call; valid until its next one. */
const char *lodestar_error(void);

/* Connects, within 2 s. `application` is the name by which the policy knows the program, such as
 * "org.example.compass"; `socket` is the daemon's socket, NULL for the usual one ($LODESTAR_SOCKET, else the system's).
 * Returns NULL where that fails. */
lodestar_connection *lodestar_open(const char *application, const char *socket);

/* Ends a connection; NULL is allowed. */
void lodestar_close(lodestar_connection *connection);

/* Waits for news: a new estimate, or a change of the connection. `milliseconds` below zero has no limit.
 * Returns 1 for news, 0 at the timeout, below zero for an error. */
int lodestar_wait(lodestar_connection *connection, int milliseconds);

/* A descriptor that is readable while there are news, for poll and event loops: then call lodestar_wait with 0, and
 * read. It belongs to the connection. */
int lodestar_descriptor(lodestar_connection *connection);

/* The newest heading and fix. Returns 0, or below zero for an error, which leaves the structure as it was. A value is
 * never older than its state says: after a loss it is NAN. */
int lodestar_read_heading(lodestar_connection *connection, lodestar_heading *heading);
int lodestar_read_fix(lodestar_connection *connection, lodestar_fix *fix);

#ifdef __cplusplus
}
#endif

#endif
