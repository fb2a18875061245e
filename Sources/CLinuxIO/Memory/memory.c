// The process's resident memory: the pages of code that only the start needs, and the heaps.
#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clinuxbus.h"

// A debugger's breakpoints are changed pages of code, which must not be read from the file again.
static bool is_traced(void) {
  FILE *file = fopen("/proc/self/status", "re");
  if (!file) return true;
  char line[256];
  int tracer = 1;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  }
  fclose(file);
  return tracer != 0;
}

// True for an object whose code was changed when it was loaded.
static bool has_text_relocations(const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return true;
    }
  }
  return false;
}

static int release(struct dl_phdr_info *object, size_t size, void *result) {
  (void)size;
  // The kernel's vDSO has no file.
  if (has_text_relocations(object) || strstr(object->dlpi_name, "linux-vdso")) return 0;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    // Segments that were ever writable hold the addresses that the loader has set.
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
    // Whole pages only: the last one may be shared with a writable segment.
    uintptr_t begin = (object->dlpi_addr + header->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(page - 1);
    if (begin >= end) continue;
    if (madvise((void *)begin, end - begin, MADV_DONTNEED) == 0) *(size_t *)result += end - begin;
  }
  return 0;
}

size_t linuxbus_release_code(void) {
  size_t bytes = 0;
  if (!is_traced()) dl_iterate_phdr(release, &bytes);
  return bytes;
}

void linuxbus_use_one_heap(void) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}
