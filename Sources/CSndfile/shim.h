// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CSNDFILE_SHIM_H
#define RAWAUDIO_CSNDFILE_SHIM_H

#include <sndfile.h>

#endif
