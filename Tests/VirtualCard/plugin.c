#include "virtual_card.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

// MARK: Callbacks

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

static void card_release(struct virtual_card *card) {
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
  card_log(card, "close xruns=%llu lost=%llu played=%llu", (unsigned long long)card->xruns,
           (unsigned long long)card->lost, (unsigned long long)card->played);
  card_release(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
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
};

// MARK: Opening

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
  status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES,
                                           settings->minimum_period_bytes,
                                           settings->maximum_period_bytes);
  if (status < 0) return status;
  status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES,
                                           settings->minimum_period_bytes * 2,
                                           settings->maximum_buffer_bytes);
  if (status < 0) return status;
  return snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
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
  card->io.name = "Virtual card";
  card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  card->io.poll_fd = card->timer;
  card->io.poll_events = POLLIN;
  card->io.mmap_rw = 1;
  card->io.callback = &callbacks;
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
