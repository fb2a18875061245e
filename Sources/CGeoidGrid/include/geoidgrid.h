#pragma once

#include <stdint.h>

extern const int16_t lodestar_egm96[721 * 1440];

/// The first of 721 rows, from the north pole down, of 1440 values eastwards from Greenwich: 3 mm above
/// -10.8 m. A function, because Swift does not import an array of this size.
static inline const int16_t *_Nonnull lodestar_egm96_grid(void) {
  return lodestar_egm96;
}
