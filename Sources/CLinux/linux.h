#ifndef RAWAUDIO_CLINUX_H
#define RAWAUDIO_CLINUX_H

/* Without this the C library's own types would belong to this module as well as to Glibc. */
#pragma clang module import SwiftGlibc

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What this library needs of Linux and Swift does not offer. Most of it is hidden without _GNU_SOURCE,
 * which Swift's own C modules do not define. */

/* tee(2) that never waits. */
static inline ssize_t rawaudio_tee(int from, int to, size_t byte_count) {
  const unsigned int splice_f_nonblock = 2; /* linux/splice.h */
  return syscall(SYS_tee, from, to, byte_count, splice_f_nonblock);
}

/* open(2) with O_TMPFILE: a file without a name in `directory`. */
static inline int rawaudio_open_unnamed(const char *directory) {
  return open(directory, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* pipe2(2) with O_CLOEXEC: no program that another thread starts at this moment inherits the ends. */
static inline int rawaudio_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* fcntl(2) with F_SETPIPE_SZ: the capacity of a pipe, in bytes. */
static inline int rawaudio_set_pipe_capacity(int end, int byte_count) {
  const int f_setpipe_sz = 1031; /* linux/fcntl.h */
  return fcntl(end, f_setpipe_sz, byte_count);
}

/* glibc 2.34: the started program gets no descriptor from `first` on. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int rawaudio_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* prctl(2) with PR_SET_NAME: names the calling thread, by the first 15 bytes. */
static inline void rawaudio_name_thread(const char *name) {
  const int pr_set_name = 15; /* linux/prctl.h */
  syscall(SYS_prctl, pr_set_name, name, 0, 0, 0);
}

/* sched_getaffinity(2): the number of processors that the calling thread may run on, or 0. */
static inline int rawaudio_processor_count(void) {
  unsigned long set[128];
  long byte_count = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
  int count = 0;
  for (long word = 0; word < byte_count / (long)sizeof set[0]; word++)
    count += __builtin_popcountl(set[word]);
  return count;
}

/* Both streams of the C library lead nowhere from now on. */
static inline int rawaudio_silence_c_streams(void) {
  FILE *nowhere = fopen("/dev/null", "we");
  if (!nowhere) return -1;
  stdout = nowhere;
  stderr = nowhere;
  return 0;
}

/* Whether the compiler may use registers of 32 bytes: Swift cannot ask what it compiles for. */
#ifdef __AVX__
static const int rawaudio_has_wide_registers = 1;
#else
static const int rawaudio_has_wide_registers = 0;
#endif

#endif
