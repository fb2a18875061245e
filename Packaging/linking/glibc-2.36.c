// For a program that is linked with Debian 13's Swift and runs with the older glibc of Debian 12: its own definitions of the functions
// that came with glibc 2.38, by those that both have. The headers of 2.38 call strtol and its relatives by other names, which
// differ only in binary literals of C23 ("0b1").
#include <stddef.h>

__asm__(".symver old_fmod, fmod@" GLIBC_BASE);
__asm__(".symver old_fmodf, fmodf@" GLIBC_BASE);
double old_fmod(double, double);
float old_fmodf(float, float);
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int vsscanf(const char *, const char *, __builtin_va_list);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
void *memcpy(void *, const void *, size_t);

// Weak: a library that brings its own, as libdispatch does for older systems, goes before.
#define LOCAL __attribute__((weak, visibility("hidden")))

LOCAL double fmod(double x, double y) { return old_fmod(x, y); }
LOCAL float fmodf(float x, float y) { return old_fmodf(x, y); }
LOCAL long __isoc23_strtol(const char *s, char **e, int base) { return strtol(s, e, base); }
LOCAL long long __isoc23_strtoll(const char *s, char **e, int base) { return strtoll(s, e, base); }
LOCAL unsigned long __isoc23_strtoul(const char *s, char **e, int base) { return strtoul(s, e, base); }
LOCAL unsigned long long __isoc23_strtoull(const char *s, char **e, int base) { return strtoull(s, e, base); }

LOCAL int __isoc23_sscanf(const char *s, const char *format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  int count = vsscanf(s, format, arguments);
  __builtin_va_end(arguments);
  return count;
}

LOCAL size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

LOCAL size_t strlcat(char *to, const char *from, size_t size) {
  size_t used = strnlen(to, size);
  return used + (used == size ? strlen(from) : strlcpy(to + used, from, size - used));
}
