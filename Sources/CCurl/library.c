#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static bool find(void *handle, struct ccurl_library *library) {
#define CCURL_FIND(result, name, arguments) \
  *(void **)&library->name = dlsym(handle, "curl_" #name); \
  if (library->name == NULL) return false;
  CCURL_FUNCTIONS(CCURL_FIND)
#undef CCURL_FIND
  return true;
}

struct ccurl_library *ccurl_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return NULL;
  struct ccurl_library *library = calloc(1, sizeof *library);
  if (library == NULL || !find(handle, library)) {
    free(library);
    dlclose(handle);
    return NULL;
  }
  // An initialised library stays loaded: TLS libraries leave pointers into their code.
  if (library->global_init(global_default) != code_ok) {
    free(library);
    return NULL;
  }
  return library;
}

void ccurl_hold_pipe(struct ccurl_pipe *pipe) {
  sigset_t signal;
  sigemptyset(&signal);
  sigaddset(&signal, SIGPIPE);
  sigpending(&pipe->pending);
  pthread_sigmask(SIG_BLOCK, &signal, &pipe->before);
}

void ccurl_release_pipe(const struct ccurl_pipe *pipe) {
  sigset_t signal;
  sigemptyset(&signal);
  sigaddset(&signal, SIGPIPE);
  // A signal that was pending before is not of these calls.
  const struct timespec now = {0};
  if (!sigismember(&pipe->pending, SIGPIPE)) sigtimedwait(&signal, NULL, &now);
  pthread_sigmask(SIG_SETMASK, &pipe->before, NULL);
}
