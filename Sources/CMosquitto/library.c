#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>

static bool find(void *handle, struct cmosquitto_library *library) {
#define CMOSQUITTO_FIND(result, name, arguments) \
  *(void **)&library->name = dlsym(handle, "mosquitto_" #name); \
  if (library->name == NULL) return false;
  CMOSQUITTO_FUNCTIONS(CMOSQUITTO_FIND)
#undef CMOSQUITTO_FIND
  return true;
}

struct cmosquitto_library *cmosquitto_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return NULL;
  struct cmosquitto_library *library = calloc(1, sizeof *library);
  int major = 0, minor = 0, revision = 0;
  if (library == NULL || !find(handle, library)) {
    free(library);
    dlclose(handle);
    return NULL;
  }
  library->lib_version(&major, &minor, &revision);
  // An initialised library stays loaded: TLS libraries leave pointers into their code.
  if (major < 2 || library->lib_init() != code_ok) {
    free(library);
    return NULL;
  }
  return library;
}
