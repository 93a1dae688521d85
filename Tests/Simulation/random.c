// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

static uint64_t state[4];

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), which spreads a seed.
static uint64_t spread(uint64_t *seed) {
  uint64_t z = (*seed += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

void random_seed(uint64_t seed) {
  for (int i = 0; i < 4; i++) state[i] = spread(&seed);
}

static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/// xoshiro256** 1.0 (Blackman and Vigna, 2018).
uint64_t random_next(void) {
  uint64_t result = rotated(state[1] * 5, 7) * 9, t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotated(state[3], 45);
  return result;
}

uint64_t random_below(uint64_t limit) { return limit > 0 ? random_next() % limit : 0; }

bool random_chance(uint64_t count) { return count > 0 && random_below(1000000) < count; }
