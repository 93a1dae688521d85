// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CEBUR128_SHIM_H
#define RAWAUDIO_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
