#include "gazetteer.h"

extern const uint8_t lodestar_gazetteer[];
extern const uint8_t lodestar_gazetteer_end[];

const uint8_t *lodestar_gazetteer_bytes(void) { return lodestar_gazetteer; }
size_t lodestar_gazetteer_size(void) { return (size_t)(lodestar_gazetteer_end - lodestar_gazetteer); }
