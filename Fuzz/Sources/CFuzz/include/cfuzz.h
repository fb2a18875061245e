#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own mutations: changes `data` in place and returns its new size.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/// Bytes of the heap that are in use.
int64_t live_heap_bytes(void);

/// Ends the process so that libFuzzer keeps the input.
_Noreturn void fuzz_finding(void);
