// What Embedded Swift and the programs need of a machine without an operating system, on every processor: a heap, the
// mark of the stack's depth, and the end by semihosting.
#include <string.h>

#include "bare.h"
#include "firmware.h"

void program(void);

extern char bss_begin[], bss_end[], data_begin[], data_end[], data_image[];
extern char heap_begin[], heap_end[], stack_bottom[], stack_top[];

static const uint32_t paint = 0xA5A5A5A5;

static void stop(const char *reason) {
  firmware_write(reason, strlen(reason));
  firmware_exit(70);
}

// Called by the start-up code with the stack pointer at its top.
void bare_start(void) {
  for (uint32_t *word = (uint32_t *)stack_bottom; (char *)word < (char *)__builtin_frame_address(0) - 64; word++) {
    *(volatile uint32_t *)word = paint;
  }
  memcpy(data_begin, data_image, data_end - data_begin);
  memset(bss_begin, 0, bss_end - bss_begin);
  machine_start();
  program();
  firmware_exit(0);
}

uint32_t firmware_stack(void) {
  const uint32_t *word = (const uint32_t *)stack_bottom;
  while ((const char *)word < stack_top && *word == paint) word++;
  if ((const char *)word == stack_bottom) stop("firmware: the stack overflowed\n");
  return stack_top - (const char *)word;
}

// The heap: a list of free blocks by address, the first that fits, neighbours merged. Blocks are multiples of 16 bytes
// with a header of 16 bytes before them.
typedef struct Block {
  size_t size;  // with the header
  struct Block *next;
  char *start;  // of an allocated block, where alignment has moved the header
  size_t reserved;
} Block;
_Static_assert(sizeof(Block) == 16, "a header has 16 bytes");

static Block *free_blocks;
static size_t used, most_used, allocations;
static int is_ready;

uint32_t firmware_heap(void) { return most_used; }
uint32_t firmware_allocations(void) { return allocations; }

static void insert(char *start, size_t size) {
  Block **link = &free_blocks, *before = NULL;
  while (*link && (char *)*link < start) {
    before = *link;
    link = &before->next;
  }
  Block *block = (Block *)start;
  block->size = size;
  block->next = *link;
  *link = block;
  if (block->next && start + size == (char *)block->next) {
    block->size += block->next->size;
    block->next = block->next->next;
  }
  if (before && (char *)before + before->size == start) {
    before->size += block->size;
    before->next = block->next;
  }
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_ready) {
    is_ready = 1;
    insert(heap_begin, heap_end - heap_begin);
  }
  size_t padding = alignment > 16 ? alignment : 0;
  size_t whole = ((size + 15) & ~(size_t)15) + sizeof(Block) + padding;
  for (Block **link = &free_blocks; *link; link = &(*link)->next) {
    Block *block = *link;
    if (block->size < whole) continue;
    if (block->size - whole >= 2 * sizeof(Block)) {
      Block *rest = (Block *)((char *)block + whole);
      rest->size = block->size - whole;
      rest->next = block->next;
      *link = rest;
    } else {
      whole = block->size;
      *link = block->next;
    }
    char *bytes = (char *)(block + 1);
    if (padding) bytes = (char *)(((uintptr_t)bytes + alignment - 1) & ~(uintptr_t)(alignment - 1));
    Block *header = (Block *)bytes - 1;
    char *start = (char *)block;
    header->size = whole;
    header->start = start;
    used += whole;
    if (used > most_used) most_used = used;
    allocations++;
    *result = bytes;
    return 0;
  }
  stop("firmware: the heap is full\n");
  return 12;
}

void free(void *bytes) {
  if (!bytes) return;
  Block *header = (Block *)bytes - 1;
  used -= header->size;
  insert(header->start, header->size);
}

void *malloc(size_t size) {
  void *bytes = NULL;
  posix_memalign(&bytes, 16, size);
  return bytes;
}

// The stack protector of the Swift compiler.
uintptr_t __stack_chk_guard = 0xE2DEE396;
void __stack_chk_fail(void) { stop("firmware: the stack is damaged\n"); }

// Embedded Swift seeds its hashes by it; a fixed seed makes every run the same.
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 0x5A, count); }

// Swift's `print` and its messages end here.
int putchar(int character) {
  char byte = character;
  firmware_write(&byte, 1);
  return character;
}

void bare_fault(void) { stop("firmware: the processor reported a fault\n"); }
