// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CLILV_SHIM_H
#define RAWAUDIO_CLILV_SHIM_H

#include <stdarg.h>
#include <stdio.h>

#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/presets/presets.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/units/units.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

// Who is told of a plug-in's messages.
typedef struct {
  void *context;
  void (*tell)(void *context, uint32_t type, const char *text);
} rawaudio_lv2_listener;

// Swift can neither take nor make functions with "...".
static int rawaudio_lv2_vprintf(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  char text[512];
  const int count = vsnprintf(text, sizeof text, format, arguments);
  const rawaudio_lv2_listener *const listener = (const rawaudio_lv2_listener *)handle;
  if (count > 0) listener->tell(listener->context, type, text);
  return count;
}

static int rawaudio_lv2_printf(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = rawaudio_lv2_vprintf(handle, type, format, arguments);
  va_end(arguments);
  return count;
}

static inline LV2_Log_Log rawaudio_lv2_log(rawaudio_lv2_listener *listener) {
  const LV2_Log_Log log = {listener, rawaudio_lv2_printf, rawaudio_lv2_vprintf};
  return log;
}

// The feature http://lv2plug.in/ns/ext/uri-map, whose own header tells compilers that it is deprecated.
typedef struct {
  void *context;
  uint32_t (*number)(void *context, const char *map, const char *uri);
} rawaudio_lv2_uri_map;

// Numbers too small to be normal become 0 on this thread: feedback that dies away would take a hundred times longer.
static inline void rawaudio_flush_small_numbers(void) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  unsigned long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ul << 24));
#endif
}

#endif
