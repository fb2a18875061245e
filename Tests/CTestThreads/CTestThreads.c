// Threads of their own for Swift's tasks in a test program.
//
// Swift runs tasks, and Swift Testing runs tests, on as many threads as there are cores. Most tests here wait for a
// program, a socket or a clock and block their thread meanwhile: with two cores two waiting tests stop the whole run.
// The hook below (swift/Runtime/Concurrency.h, `swift_task_enqueueGlobal_hook`) receives each task that has no executor
// of its own; these threads run it.

#include "CTestThreads.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWIFT_CALL __attribute__((swiftcall))

struct executor {
  void *identity;
  uintptr_t implementation;
};
typedef SWIFT_CALL void (*enqueue)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue original);

extern enqueue_hook swift_task_enqueueGlobal_hook;
SWIFT_CALL void swift_job_run(void *job, struct executor executor);

// Besides one a core: threads that wait. More would let tests that compute slow down those that measure a timeout.
static const long waiting_threads = 4;

struct entry {
  struct entry *next;
  void *job;
};
static struct entry *first, **end = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static void *run_jobs(void *unused) {
  // A child inherits the mask of the thread that starts it: with SIGTERM blocked it could not be ended.
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&arrived, &lock);
    struct entry *entry = first;
    first = entry->next;
    if (!first) end = &first;
    pthread_mutex_unlock(&lock);
    void *job = entry->job;
    free(entry);
    // No identity: the executor of tasks without an actor.
    swift_job_run(job, (struct executor){NULL, 0});
  }
  return unused;
}

static SWIFT_CALL void take(void *job, enqueue original) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry) {
    original(job);
    return;
  }
  *entry = (struct entry){NULL, job};
  pthread_mutex_lock(&lock);
  *end = entry;
  end = &entry->next;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
}

// LODESTAR_TEST_THREADS=swift leaves tasks to Swift's own threads.
__attribute__((constructor)) static void start(void) {
  const char *choice = getenv("LODESTAR_TEST_THREADS");
  if (choice && strcmp(choice, "swift") == 0) return;
  long count = sysconf(_SC_NPROCESSORS_ONLN) + waiting_threads;
  for (long i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_jobs, NULL) == 0) {
      pthread_detach(thread);
      swift_task_enqueueGlobal_hook = take;
    }
  }
}
