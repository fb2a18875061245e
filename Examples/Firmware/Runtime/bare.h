// Between bare.c and the file of the processor.
#pragma once

// Starts the serial port and the counter.
void machine_start(void);
// The start, with a stack.
void bare_start(void);
// An exception of the processor: prints so and ends.
void bare_fault(void);
