// SPDX-License-Identifier: Apache-2.0
// copy A OUTPUT: reads and writes, and does nothing between.

#include "floor.h"

static char block[block_size];

int main(int count, char **words) {
  if (count != 3) return 64;
  int input = opened_input(words[1]), output = opened_output(words[2]);
  for (ssize_t size; (size = read_block(input, block, block_size)) > 0;)
    write_block(output, block, size);
  return close(output) != 0;
}
