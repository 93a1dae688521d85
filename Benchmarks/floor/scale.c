// SPDX-License-Identifier: Apache-2.0
// scale A OUTPUT: a 16-bit WAV file, 6 dB quieter, rounded to nearest.

#include <math.h>

#include "floor.h"

static int16_t block[block_size / 2];

int main(int count, char **words) {
  if (count != 3) return 64;
  int input = opened_input(words[1]), output = opened_output(words[2]);
  const float factor = 0.501187234f;

  write_block(output, block, read_block(input, block, header_size));
  for (ssize_t size; (size = read_block(input, block, block_size)) > 0;) {
    for (ssize_t index = 0; index < size / 2; index++)
      block[index] = (int16_t)rintf((float)block[index] * factor);
    write_block(output, block, size);
  }
  return close(output) != 0;
}
