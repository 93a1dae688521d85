#ifndef RAWAUDIO_CSNDFILE_SHIM_H
#define RAWAUDIO_CSNDFILE_SHIM_H

#include <fcntl.h>
#include <sndfile.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Both streams of the C library lead nowhere from now on. */
static inline int rawaudio_silence_c_streams(void) {
  FILE *nowhere = fopen("/dev/null", "we");
  if (!nowhere) return -1;
  stdout = nowhere;
  stderr = nowhere;
  return 0;
}

/* Both are hidden without _GNU_SOURCE, which Swift's own C modules do not define. */

/* tee(2) that never waits. */
static inline ssize_t rawaudio_tee(int from, int to, size_t byte_count) {
  const unsigned int splice_f_nonblock = 2; /* linux/splice.h */
  return syscall(SYS_tee, from, to, byte_count, splice_f_nonblock);
}

/* open(2) with O_TMPFILE: a file without a name in `directory`. */
static inline int rawaudio_open_unnamed(const char *directory) {
  return open(directory, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

#endif
