// The waiting paths of Swift's Mutex for the thread sanitizer. Its fast paths are compiled into the program, where the
// sanitizer sees them; a thread that has to wait gets the lock from the kernel (FUTEX_LOCK_PI) within libswiftSynchronization,
// which is not instrumented, so that the sanitizer would report every such access as a race. Linked into the program, these
// functions take the place of the library's, call them, and report what they do.
// Source: the Swift standard library, stdlib/public/Synchronization/Mutex/LinuxImpl.swift (Apache 2.0): names and behaviour.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void (*lock_function)(uint32_t thread, CONTEXT void *self);
typedef SWIFT void (*unlock_function)(CONTEXT void *self);

SWIFT void lock_slow(uint32_t thread, CONTEXT void *self) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slow(CONTEXT void *self) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, CONTEXT void *self) {
  static lock_function next;
  if (!next) next = (lock_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  next(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(CONTEXT void *self) {
  static unlock_function next;
  if (!next) next = (unlock_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  __tsan_release(self);
  next(self);
}
