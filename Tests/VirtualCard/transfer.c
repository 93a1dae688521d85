// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <unistd.h>

static char *ring_address(const struct virtual_card *card, snd_pcm_uframes_t offset) {
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas((snd_pcm_ioplug_t *)&card->io);
  return (char *)areas[0].addr + offset * card->frame_bytes;
}

static void silence(struct virtual_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  snd_pcm_areas_silence(
      snd_pcm_ioplug_mmap_areas(&card->io), offset, card->io.channels, frames, card->io.format);
}

/// Without an input file every sample is its frame's number, little endian, cut to its size.
static void count_into_ring(
    struct virtual_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  size_t sample_bytes = card->frame_bytes / card->io.channels;
  unsigned char *byte = (unsigned char *)ring_address(card, offset);
  for (snd_pcm_uframes_t i = 0; i < frames; i++) {
    uint64_t number = card->input_position + i;
    for (unsigned channel = 0; channel < card->io.channels; channel++) {
      for (size_t b = 0; b < sample_bytes; b++) *byte++ = (unsigned char)(number >> (8 * b));
    }
  }
}

static void read_into_ring(
    struct virtual_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  uint64_t total = card->input_frames;
  snd_pcm_uframes_t done = 0;
  while (done < frames) {
    uint64_t from = card->input_position + done;
    if (card->settings.at_end_of_input == END_LOOP && total > 0) from %= total;
    if (from >= total) break;
    snd_pcm_uframes_t run = frames - done;
    if (run > total - from) run = total - from;
    ssize_t bytes = pread(card->input, ring_address(card, offset + done), run * card->frame_bytes,
                          (off_t)(from * card->frame_bytes));
    if (bytes < (ssize_t)card->frame_bytes) break;
    done += (snd_pcm_uframes_t)bytes / card->frame_bytes;
  }
  silence(card, offset + done, frames - done);
}

static void capture_run(
    struct virtual_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  if (card->input >= 0) {
    read_into_ring(card, offset, frames);
  } else {
    count_into_ring(card, offset, frames);
  }
  card->input_position += frames;
}

/// Plays what is in the ring and leaves silence behind it, for a ring that runs on unfilled.
static void playback_run(
    struct virtual_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  const char *bytes = ring_address(card, offset);
  size_t left = card->output >= 0 ? frames * card->frame_bytes : 0;
  while (left > 0) {
    ssize_t written = write(card->output, bytes, left);
    if (written <= 0) {
      card_log(card, "outfile refuses %zu bytes", left);
      break;
    }
    bytes += written;
    left -= (size_t)written;
  }
  silence(card, offset, frames);
  card->played += frames;
}

void card_transfer(struct virtual_card *card, uint64_t frames) {
  while (frames > 0) {
    // The boundary is a multiple of the buffer size, so the wrapped pointer keeps its offset.
    snd_pcm_uframes_t offset = card->ring_pointer % card->io.buffer_size;
    snd_pcm_uframes_t run = card->io.buffer_size - offset;
    if (run > frames) run = (snd_pcm_uframes_t)frames;
    if (card_is_capture(card)) {
      capture_run(card, offset, run);
    } else {
      playback_run(card, offset, run);
    }
    card->ring_pointer = (card->ring_pointer + run) % card->boundary;
    card->position += run;
    frames -= run;
  }
}
