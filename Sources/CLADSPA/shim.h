// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CLADSPA_SHIM_H
#define RAWAUDIO_CLADSPA_SHIM_H

#include <ladspa.h>

// Swift does not import macros with arguments.
static inline int rawaudio_ladspa_default(LADSPA_PortRangeHintDescriptor hint) {
  return hint & LADSPA_HINT_DEFAULT_MASK;
}

#endif
