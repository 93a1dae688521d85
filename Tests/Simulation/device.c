// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>

// What the program asks of libasound. The virtual card does the rest: it lives by the simulated clock.

typedef struct _snd_pcm pcm_t;
typedef struct _snd_pcm_status status_t;

static long (*real_readi)(pcm_t *, void *, unsigned long);
static long (*to_bytes)(pcm_t *, long);
static long (*frames_to_bytes)(pcm_t *, long);
static void (*real_htstamp)(const status_t *, struct timespec *);

static void find(void *function, const char *name) {
  void **place = function;
  if (*place == NULL) *place = dlsym(RTLD_NEXT, name);
}

/// The number in a sample of the virtual card without an input file: where it stands on the card's clock.
static uint64_t number_at(const unsigned char *bytes, long size) {
  uint64_t number = 0;
  for (long i = size; i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

static void note(pcm_t *pcm, const unsigned char *bytes, long count) {
  long size = to_bytes(pcm, 1), step = frames_to_bytes(pcm, 1);
  uint64_t mask = size < 8 ? (1ULL << (8 * size)) - 1 : UINT64_MAX;
  for (long begin = 0; begin < count;) {
    uint64_t first = number_at(bytes + begin * step, size);
    long end = begin + 1;
    while (end < count &&
           number_at(bytes + end * step, size) == ((first + (uint64_t)(end - begin)) & mask)) {
      end++;
    }
    report_read(pcm, first, (uint64_t)(end - begin), (unsigned)(8 * size));
    begin = end;
  }
}

long snd_pcm_readi(pcm_t *pcm, void *bytes, unsigned long count) {
  find(&real_readi, "snd_pcm_readi");
  find(&to_bytes, "snd_pcm_samples_to_bytes");
  find(&frames_to_bytes, "snd_pcm_frames_to_bytes");
  if (!is_simulated()) return real_readi(pcm, bytes, count);
  baton_offer();
  if (fault_lasts(FAULT_READ_EINTR) && random_chance(500000)) {
    fault_counts[FAULT_READ_EINTR]++;
    return -EINTR;
  }
  if (fault_lasts(FAULT_READ_EAGAIN) && random_chance(500000)) {
    fault_counts[FAULT_READ_EAGAIN]++;
    return -EAGAIN;
  }
  if (fault_lasts(FAULT_SHORT_READ) && count > 1) {
    fault_counts[FAULT_SHORT_READ]++;
    count = 1 + random_below(count);
  }
  long result = real_readi(pcm, bytes, count);
  trace((uint64_t)result, "read from the device");
  if (result > 0) note(pcm, bytes, result);
  return result;
}

void snd_pcm_status_get_htstamp(const status_t *status, struct timespec *time) {
  find(&real_htstamp, "snd_pcm_status_get_htstamp");
  real_htstamp(status, time);
  if (!is_simulated() || !fault_lasts(FAULT_STAMP)) return;
  fault_counts[FAULT_STAMP]++;
  *time = (struct timespec){0};
}
