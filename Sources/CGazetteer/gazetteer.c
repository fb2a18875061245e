#include "gazetteer.h"

extern const uint8_t lodestar_gazetteer[];
extern const uint8_t lodestar_gazetteer_end[];

const uint8_t *lodestar_gazetteer_bytes(void) { return lodestar_gazetteer; }
size_t lodestar_gazetteer_size(void) { return (size_t)(lodestar_gazetteer_end - lodestar_gazetteer); }

extern const uint8_t lodestar_outlines[];
extern const uint8_t lodestar_outlines_end[];

const uint8_t *lodestar_outlines_bytes(void) { return lodestar_outlines; }
size_t lodestar_outlines_size(void) { return (size_t)(lodestar_outlines_end - lodestar_outlines); }
