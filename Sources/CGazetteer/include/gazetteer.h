// The gazetteer in the program.
#ifndef LODESTAR_CGAZETTEER_H
#define LODESTAR_CGAZETTEER_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of the SQLite file that is part of the program.
const uint8_t *_Nonnull lodestar_gazetteer_bytes(void);
/// How many there are.
size_t lodestar_gazetteer_size(void);

/// The bytes of the outlines of land and water that are part of the program.
const uint8_t *_Nonnull lodestar_outlines_bytes(void);
/// How many there are.
size_t lodestar_outlines_size(void);

#endif
