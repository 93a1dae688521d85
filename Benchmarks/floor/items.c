// SPDX-License-Identifier: Apache-2.0
// items FOLDER: copies the start of every file that standard input names into FOLDER, under its own name: written
// beside it and renamed. What the file system asks of everybody who makes whole files.

#include "floor.h"

#include <stdio.h>
#include <string.h>

static char block[4096], path[4096], output[8192], unfinished[8192];

int main(int count, char **words) {
  if (count != 2) return 64;
  while (fgets(path, sizeof path, stdin)) {
    path[strcspn(path, "\n")] = 0;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    snprintf(output, sizeof output, "%s/%s", words[1], name);
    snprintf(unfinished, sizeof unfinished, "%s/.%s.partial", words[1], name);
    int input = opened_input(path), file = opened_output(unfinished);
    ssize_t size = read_block(input, block, sizeof block);
    if (size > 0) write_block(file, block, size);
    if (close(input) != 0 || close(file) != 0 || rename(unfinished, output) != 0) return 1;
  }
  return 0;
}
