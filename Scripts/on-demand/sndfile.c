// SPDX-License-Identifier: Apache-2.0
/* libsndfile: with its codecs eight libraries, which a WAV file does not need. */

#define _GNU_SOURCE
#define SONAME "libsndfile.so.1"
#define VARIABLE "RAWAUDIO_LIBSNDFILE"
#define PACKAGE "libsndfile1"
#define FUNCTIONS(F) \
  F(sf_close) F(sf_command) F(sf_error) F(sf_error_number) F(sf_format_check) F(sf_get_string) F(sf_open_fd) \
  F(sf_open_virtual) F(sf_read_raw) F(sf_readf_float) F(sf_readf_int) F(sf_seek) F(sf_strerror) F(sf_write_raw) \
  F(sf_writef_float) F(sf_writef_int)

#include "library.h"
