// SPDX-License-Identifier: Apache-2.0
// What the floors have in common: blocks of 256 KiB, and files that begin with a WAV header of 44 bytes.

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { header_size = 44, block_size = 256 * 1024 };

static inline int opened(const char *path, int flags) {
  int file = open(path, flags, 0666);
  if (file < 0) {
    perror(path);
    exit(1);
  }
  return file;
}

static inline int opened_input(const char *path) { return opened(path, O_RDONLY); }

static inline int opened_output(const char *path) {
  return opened(path, O_WRONLY | O_CREAT | O_EXCL);
}

static inline ssize_t read_block(int file, void *block, size_t size) {
  ssize_t count = read(file, block, size);
  if (count < 0) {
    perror("read");
    exit(1);
  }
  return count;
}

static inline void write_block(int file, const void *block, ssize_t size) {
  if (write(file, block, (size_t)size) != size) {
    perror("write");
    exit(1);
  }
}
