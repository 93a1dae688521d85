#ifndef RAWAUDIO_CALSA_SHIM_H
#define RAWAUDIO_CALSA_SHIM_H

#include <alsa/asoundlib.h>

#endif
