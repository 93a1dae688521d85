// SPDX-License-Identifier: Apache-2.0
/* Swift's library for arm64 calls these functions, which glibc has from 2.38 on. Debian 12 has glibc 2.36. They differ from
 * the older ones in one point: they read '0b' as the prefix of a binary number. Swift's library reads no such numbers. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
