// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CJACK_SHIM_H
#define RAWAUDIO_CJACK_SHIM_H

/* Without this the C library's types that jack.h names would belong to this module as well as to Glibc. */
#pragma clang module import SwiftGlibc

/* jack.h declares its functions weak. A linker takes nothing from an archive for a weak reference, so the functions of
 * Scripts/on-demand would be left out and called at address 0. */
#define JACK_WEAK_EXPORT
#define JACK_OPTIONAL_WEAK_EXPORT
#define JACK_OPTIONAL_WEAK_DEPRECATED_EXPORT
#include <jack/jack.h>
#include <jack/statistics.h>

/* Swift cannot call a function with "...". */
static inline jack_client_t *rawaudio_jack_open(const char *name, jack_status_t *status) {
  return jack_client_open(name, JackNoStartServer, status);
}

#endif
