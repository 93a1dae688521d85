#ifndef RAWAUDIO_CLINUX_SHIM_H
#define RAWAUDIO_CLINUX_SHIM_H

/* Without this the C library's own types would belong to this module as well as to Glibc. */
#pragma clang module import SwiftGlibc

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All are hidden without _GNU_SOURCE, which Swift's own C modules do not define. */

/* pipe2(2) with O_CLOEXEC: no program that another thread starts at this moment inherits the ends. */
static inline int clinux_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* fcntl(2) with F_SETPIPE_SZ: the capacity of a pipe, in bytes. */
static inline int clinux_set_pipe_capacity(int end, int byte_count) {
  const int f_setpipe_sz = 1031; /* linux/fcntl.h */
  return fcntl(end, f_setpipe_sz, byte_count);
}

/* glibc 2.34: the started program gets no descriptor from `first` on. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

#endif
