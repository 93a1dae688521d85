// SPDX-License-Identifier: Apache-2.0
// mix A B OUTPUT: the sum of two 16-bit WAV files of the same length, saturated.

#include "floor.h"

static int16_t block[block_size / 2], other[block_size / 2];

int main(int count, char **words) {
  if (count != 4) return 64;
  int first = opened_input(words[1]), second = opened_input(words[2]);
  int output = opened_output(words[3]);

  write_block(output, block, read_block(first, block, header_size));
  read_block(second, other, header_size);
  for (ssize_t size; (size = read_block(first, block, block_size)) > 0;) {
    if (read_block(second, other, (size_t)size) != size) return 1;
    for (ssize_t index = 0; index < size / 2; index++) {
      int sum = block[index] + other[index];
      block[index] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
    }
    write_block(output, block, size);
  }
  return close(output) != 0;
}
