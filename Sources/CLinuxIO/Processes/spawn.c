// Programs, pipes and threads. In C: the functions of glibc that end with _np are not visible to every Swift.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clinuxbus.h"

// The child's descriptors 0 to 2. `copies` has those that the caller closes afterwards.
static int add_files(posix_spawn_file_actions_t *actions, const int files[3], int copies[3]) {
  for (int number = 0; number < 3; number++) {
    int error = 0, file = files[number];
    if (file == LINUXBUS_SPAWN_INHERITED) continue;
    if (file == LINUXBUS_SPAWN_NULL) {
      error = posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
    } else {
      // Another one of 0 to 2 may be replaced before it is copied.
      if (file >= 0 && file < 3 && file != number) {
        file = copies[number] = fcntl(file, F_DUPFD_CLOEXEC, 3);
        if (file < 0) return errno;
      }
      // The same number is kept open: glibc removes its close-on-exec flag.
      error = posix_spawn_file_actions_adddup2(actions, file, number);
    }
    if (error) return error;
  }
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int linuxbus_spawn(
    const char *program, char *const arguments[], char *const variables[], const char *folder,
    const int files[3], bool has_own_group) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return -error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return -error;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // The group of number 0, which is the initial one, is the child's own.
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  posix_spawnattr_setflags(&attributes, (short)(has_own_group ? flags | POSIX_SPAWN_SETPGROUP : flags));

  int copies[3] = {-1, -1, -1};
  pid_t process = 0;
  if (folder) error = posix_spawn_file_actions_addchdir_np(&actions, folder);
  if (!error) error = add_files(&actions, files, copies);
  if (!error) error = posix_spawn(&process, program, &actions, &attributes, arguments, variables);
  for (int number = 0; number < 3; number++) {
    if (copies[number] >= 0) close(copies[number]);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error ? -error : process;
}

int linuxbus_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

// The kernel stores 15 bytes of a thread's name.
struct thread {
  void (*body)(void *);
  void *argument;
  char name[16];
};

static void *run_thread(void *start) {
  const struct thread thread = *(struct thread *)start;
  free(start);
  pthread_setname_np(pthread_self(), thread.name);
  thread.body(thread.argument);
  return NULL;
}

int linuxbus_start_thread(const char *name, void (*body)(void *argument), void *argument) {
  struct thread *thread = malloc(sizeof *thread);
  pthread_attr_t attributes;
  int error = thread ? pthread_attr_init(&attributes) : ENOMEM;
  if (error) {
    free(thread);
    return -error;
  }
  *thread = (struct thread){.body = body, .argument = argument};
  strncpy(thread->name, name, sizeof thread->name - 1);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t created;
  error = pthread_create(&created, &attributes, run_thread, thread);
  pthread_attr_destroy(&attributes);
  if (error) free(thread);
  return -error;
}
