// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CMD5_SHIM_H
#define RAWAUDIO_CMD5_SHIM_H

#include <sys/types.h>

#include <md5.h>
#include <sha2.h>

#endif
