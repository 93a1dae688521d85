// SPDX-License-Identifier: Apache-2.0
/* Functions that Swift's library for arm64 calls by their names of glibc 2.38, in Debian 12's glibc 2.36. Those names differ
 * in that they read '0b' as the prefix of a binary number, which that library has no use for. */

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
