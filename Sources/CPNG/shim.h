// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CPNG_SHIM_H
#define RAWAUDIO_CPNG_SHIM_H

#include <png.h>

// Swift does not import what these macros are made of.
static const png_uint_32 rawaudio_png_version = PNG_IMAGE_VERSION;
static const png_uint_32 rawaudio_png_colours = PNG_FORMAT_RGB;
static const png_uint_32 rawaudio_png_indices = PNG_FORMAT_RGB_COLORMAP;

// The most bytes that an image of this shape can take as PNG.
static inline size_t rawaudio_png_size_limit(const png_image *image) {
  return PNG_IMAGE_PNG_SIZE_MAX(*image);
}

#endif
