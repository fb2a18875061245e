#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdint.h>
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

// OPENSSL_INIT_NO_ATEXIT of OpenSSL 3.0's crypto.h.
static const uint64_t no_cleanup_at_exit = 0x00080000;

// As in CMosquitto: OpenSSL, where curl uses it, does not release its memory at the end of the process, while a thread
// that still connects uses it. The first initialisation decides.
static void keep_tls_until_end(void *handle) {
  int (*init_crypto)(uint64_t, const void *);
  *(void **)&init_crypto = dlsym(handle, "OPENSSL_init_crypto");
  if (init_crypto != NULL) init_crypto(no_cleanup_at_exit, NULL);
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
  keep_tls_until_end(handle);
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
