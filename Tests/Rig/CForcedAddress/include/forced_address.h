// Opens an address of an I2C bus even where a kernel driver owns it, which LinuxIO refuses: to put into an
// emulated chip's registers what its kernel driver shall read.
#ifndef LODESTAR_FORCED_ADDRESS_H
#define LODESTAR_FORCED_ADDRESS_H

#include <stdint.h>

/// A file for SMBus calls; -errno where it cannot be opened.
int forced_address_open(const char *bus, uint8_t address);

#endif
