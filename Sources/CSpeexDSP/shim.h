// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CSPEEXDSP_SHIM_H
#define RAWAUDIO_CSPEEXDSP_SHIM_H

#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#endif
