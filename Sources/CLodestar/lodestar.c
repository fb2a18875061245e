/* A target has at least one source. This one is its header; LodestarLibrary has the functions. */
#include "lodestar.h"
