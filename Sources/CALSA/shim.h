// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CALSA_SHIM_H
#define RAWAUDIO_CALSA_SHIM_H

/* Without this the C library's types that asoundlib.h names, timespec above all, would belong to this
 * module as well as to Glibc, and files that import only Glibc would no longer compile. */
#pragma clang module import SwiftGlibc

#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>

/* libasound prints its errors to standard error unless a handler takes them, and the handler is
 * variadic, so it cannot be written in Swift. The first message since the last
 * calsa_forget_message() is kept, for it names the cause; those after it only say who passed the
 * failure on.
 *
 * A static inline function is compiled into every Swift object file that uses it, its static
 * variables too: these three must all be used from one and the same Swift file. */

enum { CALSA_MESSAGE_CAPACITY = 256 };

static inline char *calsa_message(void) {
  static _Thread_local char message[CALSA_MESSAGE_CAPACITY];
  return message;
}

static inline void calsa_keep_message(const char *file, int line, const char *function, int code,
                                      const char *format, ...) {
  char *message = calsa_message();
  (void)file, (void)line, (void)function, (void)code;
  if (message[0] != '\0') return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, CALSA_MESSAGE_CAPACITY, format, arguments);
  va_end(arguments);
}

static inline void calsa_keep_messages(void) { snd_lib_error_set_handler(calsa_keep_message); }

#endif
