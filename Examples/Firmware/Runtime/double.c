// Addition of doubles for Arm processors without a unit for them. GCC's support library (libgcc 12.2,
// config/arm/ieee754-df.S) rounds a difference wrongly, by one unit, where the exponents are 33 apart and the result is
// below the next lower power of two: of the smaller number's bits below the result it keeps one and a mark for the
// rest, and the result's shift by one consumes that bit. 1 - x with a small x is such a difference, so a cosine of a
// small angle, or a quaternion of a small rotation, is one unit off. Linked with --wrap, these functions compute that
// case and leave the others to the library.
#include <stdint.h>
#include <string.h>

// The compiler calls them by the convention without floating-point registers, on every processor.
#define CONVENTION __attribute__((pcs("aapcs")))

CONVENTION double __real___aeabi_dadd(double a, double b);

static uint64_t bits(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

// a + b with the exponent of a 33 above that of b; both are normal.
static double add_33_apart(uint64_t a, uint64_t b) {
  const uint64_t fraction = 0x000FFFFFFFFFFFFF, hidden = 0x0010000000000000;
  int exponent = a >> 52 & 0x7FF;
  // Ten bits below the last of the result, the lowest of which marks any below it.
  uint64_t large = ((a & fraction) | hidden) << 10, small = ((b & fraction) | hidden) << 10;
  small = small >> 33 | ((small & 0x1FFFFFFFF) != 0);
  uint64_t sum = (a ^ b) >> 63 ? large - small : large + small;
  int places = 10;
  if (sum >> 63) { places++; exponent++; }
  if (!(sum >> 62)) { places--; exponent--; }
  uint64_t half = (uint64_t)1 << (places - 1), rest = sum & (2 * half - 1);
  uint64_t result = sum >> places;
  if (rest > half || (rest == half && (result & 1))) result++;
  // A carry beyond the fraction raises the exponent by itself.
  result += (uint64_t)(exponent - 1) << 52;
  result |= a & 0x8000000000000000;
  double value;
  memcpy(&value, &result, sizeof value);
  return value;
}

static CONVENTION __attribute__((noinline)) double add_rare(double a, double b) {
  uint64_t x = bits(a), y = bits(b);
  int p = x >> 52 & 0x7FF, q = y >> 52 & 0x7FF;
  if (p > q && q > 0 && p < 0x7FE) return add_33_apart(x, y);
  if (q > p && p > 0 && q < 0x7FE) return add_33_apart(y, x);
  return __real___aeabi_dadd(a, b);
}

static inline double add(double a, double b) {
  uint32_t x = bits(a) >> 32, y = bits(b) >> 32;
  int apart = (int)(x << 1 >> 21) - (int)(y << 1 >> 21);
  if (__builtin_expect(apart == 33 || apart == -33, 0)) return add_rare(a, b);
  return __real___aeabi_dadd(a, b);
}

static inline double negated(double value) {
  uint64_t word = bits(value) ^ 0x8000000000000000;
  memcpy(&value, &word, sizeof value);
  return value;
}

CONVENTION double __wrap___aeabi_dadd(double a, double b) { return add(a, b); }
CONVENTION double __wrap___aeabi_dsub(double a, double b) { return add(a, negated(b)); }
CONVENTION double __wrap___aeabi_drsub(double a, double b) { return add(b, negated(a)); }
