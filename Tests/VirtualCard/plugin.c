// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int open_path(const char *path, int flags, int *descriptor) {
  *descriptor = open(path, flags | O_CLOEXEC, 0644);
  if (*descriptor >= 0) return 0;
  int status = -errno;
  SNDERR("virtual card: cannot open '%s': %s", path, strerror(errno));
  return status;
}

static int open_files(struct virtual_card *card, snd_pcm_stream_t stream) {
  const struct card_settings *settings = &card->settings;
  int status = 0;
  if (stream == SND_PCM_STREAM_CAPTURE && settings->input_path != NULL) {
    status = open_path(settings->input_path, O_RDONLY, &card->input);
  } else if (stream == SND_PCM_STREAM_PLAYBACK && settings->output_path != NULL) {
    status = open_path(settings->output_path, O_WRONLY | O_CREAT | O_TRUNC, &card->output);
  }
  if (status < 0) return status;
  if (settings->log_path != NULL) {
    card->log = fopen(settings->log_path, "ae");
    if (card->log == NULL) return -errno;
  }
  card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return card->timer < 0 ? -errno : 0;
}

/// A list that holds only 0 stands for everything from `minimum` to `maximum`.
static int constrain(snd_pcm_ioplug_t *io, int parameter, const struct value_list *list,
                     unsigned minimum, unsigned maximum) {
  if (list->count == 1 && list->values[0] == 0) {
    return snd_pcm_ioplug_set_param_minmax(io, parameter, minimum, maximum);
  }
  return snd_pcm_ioplug_set_param_list(io, parameter, list->count, list->values);
}

/// Every length within the limits, or whole numbers of a step up to 64 of it, as alsa-plugins' pcm_jack.c lists them.
static int constrain_period(struct virtual_card *card) {
  const struct card_settings *settings = &card->settings;
  unsigned lengths[64];
  if (settings->period_bytes_step == 0) {
    return snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES,
                                           settings->minimum_period_bytes,
                                           settings->maximum_period_bytes);
  }
  for (unsigned i = 0; i < 64; i++) lengths[i] = (i + 1) * settings->period_bytes_step;
  return snd_pcm_ioplug_set_param_list(
      &card->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, lengths);
}

static int constrain_all(struct virtual_card *card) {
  static const unsigned accesses[] = {
      SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
  const struct card_settings *settings = &card->settings;
  snd_pcm_ioplug_t *io = &card->io;
  int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (status < 0) return status;
  status = snd_pcm_ioplug_set_param_list(
      io, SND_PCM_IOPLUG_HW_FORMAT, settings->formats.count, settings->formats.values);
  if (status < 0) return status;
  status = constrain(io, SND_PCM_IOPLUG_HW_CHANNELS, &settings->channels, 1, 64);
  if (status < 0) return status;
  status = constrain(io, SND_PCM_IOPLUG_HW_RATE, &settings->rates, 1000, 768000);
  if (status < 0) return status;
  status = constrain_period(card);
  if (status < 0) return status;
  status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES,
                                           settings->minimum_period_bytes * 2,
                                           settings->maximum_buffer_bytes);
  if (status < 0) return status;
  return snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2,
                                         settings->period_bytes_step == 0 ? 1024 : 64);
}

static struct virtual_card *card_create(void) {
  struct virtual_card *card = calloc(1, sizeof *card);
  if (card == NULL) return NULL;
  card->input = card->output = card->timer = -1;
  card->boundary = 1;
  card->avail_min = 1;
  return card;
}

/// Everything up to the creation of the PCM, after which closing it releases the card.
static int card_set_up(
    struct virtual_card *card, snd_config_t *configuration, snd_pcm_stream_t stream) {
  int status = settings_read(&card->settings, configuration);
  if (status < 0) return status;
  status = script_parse(&card->script, card->settings.events);
  if (status < 0) return status;
  if (card->settings.open_errno != 0) return -card->settings.open_errno;
  const char *present = card->settings.present_path;
  if (present != NULL && access(present, F_OK) != 0) return -ENODEV;
  status = open_files(card, stream);
  if (status < 0) return status;
  card_wake_now(card);
  card->io.version = SND_PCM_IOPLUG_VERSION;
  const char *plugin_name = card->settings.plugin_name;
  card->io.name = plugin_name != NULL ? plugin_name : "Virtual card";
  card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  card->io.poll_fd = card->timer;
  card->io.poll_events = POLLIN;
  card->io.mmap_rw = 1;
  card->io.callback =
      card->settings.cannot_pause ? &pauseless_card_callbacks : &card_callbacks;
  card->io.private_data = card;
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(virtual_card) {
  (void)root;
  struct virtual_card *card = card_create();
  if (card == NULL) return -ENOMEM;
  int status = card_set_up(card, conf, stream);
  if (status == 0) status = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (status < 0) {
    card_release(card);
    return status;
  }
  status = constrain_all(card);
  if (status < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return status;
  }
  card_log(card, "open");
  *pcmp = card->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(virtual_card);
