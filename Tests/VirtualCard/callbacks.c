// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
  struct virtual_card *card = io->private_data;
  (void)parameters;
  if (card->settings.hw_errno != 0) return -card->settings.hw_errno;
  card->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8 * io->channels;
  struct stat status;
  if (card->input >= 0 && fstat(card->input, &status) == 0) {
    card->input_frames = (uint64_t)status.st_size / card->frame_bytes;
  }
  card_log(card, "hw_params format=%s rate=%u channels=%u period=%lu buffer=%lu",
           snd_pcm_format_name(io->format), io->rate, io->channels, io->period_size,
           io->buffer_size);
  return 0;
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct virtual_card *card = io->private_data;
  snd_pcm_sw_params_get_boundary(parameters, &card->boundary);
  snd_pcm_sw_params_get_stop_threshold(parameters, &card->stop_threshold);
  snd_pcm_sw_params_get_avail_min(parameters, &card->avail_min);
  card_wake_now(card);
  return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  if (card->settings.prepare_errno != 0) return -card->settings.prepare_errno;
  if (card->disconnected) return -ENODEV;
  if (card->was_started) card_log(card, "prepare");
  card->ring_pointer = 0;
  card->running = false;
  if (card->io_error == IO_FAILS_UNTIL_PREPARE) card->io_error = IO_WORKS;
  snd_pcm_areas_silence(snd_pcm_ioplug_mmap_areas(io), 0, io->channels, io->buffer_size,
                        io->format);
  card_wake_now(card);
  return 0;
}

/// A card's clock runs on while the stream is stopped: what passes meanwhile is lost, as on
/// hardware, unless the card was told to keep its position.
static void skip_lost_frames(struct virtual_card *card) {
  uint64_t now = card_clock_position(card);
  uint64_t lost = now > card->position ? now - card->position : 0;
  card->position += lost;
  card->lost += lost;
  if (card_is_capture(card)) card->input_position += lost;
  card_log(card, "start lost=%llu", (unsigned long long)lost);
}

static int card_start(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  if (card->settings.start_errno != 0) return -card->settings.start_errno;
  if (card->disconnected) return -ENODEV;
  bool runs_on = card->was_started && card->settings.speed > 0 &&
                 !card->settings.keeps_position && card->stalled_until == 0;
  if (runs_on) {
    skip_lost_frames(card);
  } else {
    card_log(card, "start lost=0");
    card_set_clock(card);
  }
  card->was_started = true;
  card->running = true;
  script_arm(&card->script, card->position);
  card_wake_now(card);
  return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  if (card->running) card_log(card, "stop");
  card->running = false;
  return 0;
}

static int card_pause(snd_pcm_ioplug_t *io, int enable) {
  struct virtual_card *card = io->private_data;
  if (enable) {
    int status = card_advance(card);
    if (status < 0) return status;
  } else {
    card_set_clock(card);
    card_wake_now(card);
  }
  card->running = !enable;
  card_log(card, enable ? "pause" : "unpause");
  return 0;
}

static int card_resume(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  if (io->state != SND_PCM_STATE_SUSPENDED) return 0;
  card_log(card, "resume");
  snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
  return card_start(io);
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  int status = card_advance(card);
  return status < 0 ? status : (snd_pcm_sframes_t)card->ring_pointer;
}

static bool is_broken(const struct virtual_card *card) {
  snd_pcm_state_t state = card->io.state;
  return state == SND_PCM_STATE_XRUN || state == SND_PCM_STATE_SUSPENDED ||
         state == SND_PCM_STATE_DISCONNECTED || card->io_error != IO_WORKS;
}

static bool is_ready(const struct virtual_card *card) {
  if (card->io.state == SND_PCM_STATE_DRAINING) return !card->running;
  return card_avail(card) >= card->avail_min;
}

static int card_poll_revents(
    snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  struct virtual_card *card = io->private_data;
  unsigned short ready = card_is_capture(card) ? POLLIN : POLLOUT;
  (void)descriptors;
  (void)count;
  if (card_advance(card) < 0) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
  if (is_broken(card)) {
    *events = POLLERR | ready;
    card_wake_now(card);
  } else if (is_ready(card)) {
    *events = ready;
    card_wake_now(card);
  } else {
    *events = 0;
    card_wake_when_due(card);
  }
  return 0;
}

static void card_dump(snd_pcm_ioplug_t *io, snd_output_t *output) {
  snd_output_printf(output, "%s\n", io->name);
  if (io->rate > 0) {
    snd_output_printf(output, "Its setup is:\n");
    snd_pcm_dump_setup(io->pcm, output);
  }
}

void card_release(struct virtual_card *card) {
  if (card->input >= 0) close(card->input);
  if (card->output >= 0) close(card->output);
  if (card->timer >= 0) close(card->timer);
  if (card->log != NULL) fclose(card->log);
  script_release(&card->script);
  settings_release(&card->settings);
  free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  bool has_clock = card->was_started && card->settings.speed > 0 && card->stalled_until == 0;
  uint64_t clock = has_clock ? card_clock_position(card) : card->position;
  card_log(card, "close xruns=%llu lost=%llu played=%llu clock=%llu",
           (unsigned long long)card->xruns, (unsigned long long)card->lost,
           (unsigned long long)card->played, (unsigned long long)clock);
  card_release(card);
  return 0;
}

/// The caller frees it.
static snd_pcm_chmap_t *card_channel_map(snd_pcm_ioplug_t *io) {
  struct virtual_card *card = io->private_data;
  const char *text = card->settings.channel_map;
  snd_pcm_chmap_t *map = text != NULL ? snd_pcm_chmap_parse_string(text) : NULL;
  if (map == NULL || map->channels == io->channels) return map;
  free(map);
  return NULL;
}

const snd_pcm_ioplug_callback_t card_callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .close = card_close,
    .hw_params = card_hw_params,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .pause = card_pause,
    .resume = card_resume,
    .poll_revents = card_poll_revents,
    .dump = card_dump,
    .get_chmap = card_channel_map,
};

const snd_pcm_ioplug_callback_t pauseless_card_callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .close = card_close,
    .hw_params = card_hw_params,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .resume = card_resume,
    .poll_revents = card_poll_revents,
    .dump = card_dump,
    .get_chmap = card_channel_map,
};
