// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double monotonic_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void card_log(struct virtual_card *card, const char *format, ...) {
  if (card->log == NULL) return;
  fprintf(card->log, "%.6f %s %" PRIu64 " ", monotonic_seconds(),
          card_is_capture(card) ? "capture" : "playback", card->position);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(card->log, format, arguments);
  va_end(arguments);
  fputc('\n', card->log);
  fflush(card->log);
}

bool card_is_capture(const struct virtual_card *card) {
  return card->io.stream == SND_PCM_STREAM_CAPTURE;
}

snd_pcm_uframes_t card_avail(const struct virtual_card *card) {
  snd_pcm_uframes_t device = card->ring_pointer, client = card->io.appl_ptr;
  if (card_is_capture(card)) return (device + card->boundary - client) % card->boundary;
  return (device + card->io.buffer_size + card->boundary - client) % card->boundary;
}

// MARK: Clock

void card_set_clock(struct virtual_card *card) {
  card->clock_time = monotonic_seconds();
  card->clock_position = card->position;
}

uint64_t card_clock_position(const struct virtual_card *card) {
  double seconds = monotonic_seconds() - card->clock_time;
  double frames = seconds * card->io.rate * card->settings.speed;
  return card->clock_position + (frames > 0 ? (uint64_t)frames : 0);
}

/// When a paced clock came to the card's position, which it has passed.
static double position_time(const struct virtual_card *card) {
  if (card->settings.speed <= 0) return monotonic_seconds();
  double frames = (double)(card->position - card->clock_position);
  return card->clock_time + frames / (card->io.rate * card->settings.speed);
}

/// Where the device would be now if nothing stopped it. Without a clock it goes as far as the ring
/// lets it.
static uint64_t position_due(const struct virtual_card *card) {
  uint64_t due;
  if (card->settings.speed > 0) {
    due = card_clock_position(card);
    due -= due % card->settings.grain;
  } else {
    snd_pcm_uframes_t avail = card_avail(card), buffer = card->io.buffer_size;
    due = card->position + (avail < buffer ? buffer - avail : 0);
  }
  return due > card->position ? due : card->position;
}

static bool is_stalled(struct virtual_card *card) {
  if (card->stalled_until == 0) return false;
  if (monotonic_seconds() < card->stalled_until) return true;
  card_log(card, "stall over");
  card->clock_time = card->stalled_until;
  card->clock_position = card->position;
  card->stalled_until = 0;
  return false;
}

// MARK: Movement

enum movement { MOVED, STOPPED, BROKEN_OFF };

static enum movement break_off(struct virtual_card *card, const char *reason) {
  card->xruns++;
  card->running = false;
  card_log(card, "%s", reason);
  return BROKEN_OFF;
}

/// Frames up to the moment when the device stops by itself: the stop threshold, or in a drain the
/// last frame. A device without a clock waits for its client instead.
static uint64_t frames_to_stop(const struct virtual_card *card) {
  snd_pcm_uframes_t avail = card_avail(card), buffer = card->io.buffer_size;
  if (card->io.state == SND_PCM_STATE_DRAINING && !card_is_capture(card)) {
    return avail < buffer ? buffer - avail : 0;
  }
  snd_pcm_uframes_t threshold = card->stop_threshold;
  if (card->settings.stops_at_overrun && threshold > buffer) threshold = buffer;
  if (card->settings.speed <= 0 || threshold > buffer) return UINT64_MAX;
  return avail < threshold ? threshold - avail : 0;
}

static uint64_t frames_to_end_of_input(const struct virtual_card *card) {
  bool ends = card->settings.at_end_of_input == END_NODEV ||
              card->settings.at_end_of_input == END_STALL;
  if (!card_is_capture(card) || card->input < 0 || !ends) return UINT64_MAX;
  return card->input_frames > card->input_position ? card->input_frames - card->input_position : 0;
}

uint64_t card_next_position(const struct virtual_card *card) {
  snd_pcm_uframes_t avail = card_avail(card);
  uint64_t frames = avail < card->avail_min ? card->avail_min - avail : 1;
  uint64_t to_stop = frames_to_stop(card), to_end = frames_to_end_of_input(card);
  if (card->io.state == SND_PCM_STATE_DRAINING || frames > to_stop) frames = to_stop;
  if (frames > to_end) frames = to_end;
  uint64_t next = card->position + frames;
  const struct script_event *event = script_peek(&card->script);
  if (event != NULL && event->position < next) next = event->position;
  return next > card->position ? next : card->position;
}

static enum movement end_input(struct virtual_card *card) {
  card->input_ended = true;
  card_log(card, "infile ends");
  if (card->settings.at_end_of_input == END_NODEV) card_disconnect(card, "at the end of infile");
  return STOPPED;
}

static enum movement move_to(struct virtual_card *card, uint64_t target) {
  uint64_t wanted = target - card->position;
  uint64_t to_stop = frames_to_stop(card), to_end = frames_to_end_of_input(card);
  uint64_t frames = wanted < to_stop ? wanted : to_stop;
  if (frames > to_end) frames = to_end;
  card_transfer(card, frames);
  if (frames == to_end) return end_input(card);
  bool drains = card->io.state == SND_PCM_STATE_DRAINING;
  if (frames < to_stop || (wanted == 0 && !drains)) return MOVED;
  if (drains) {
    card_log(card, "drained");
    card->running = false;
    return STOPPED;
  }
  return break_off(card, card_is_capture(card) ? "overrun" : "underrun");
}

// MARK: Faults

void card_disconnect(struct virtual_card *card, const char *reason) {
  if (!card->disconnected) card_log(card, "nodev %s", reason);
  card->disconnected = true;
  card->running = false;
  snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
}

static void touch(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file >= 0) close(file);
}

static enum movement fire(struct virtual_card *card, const struct script_event *event) {
  card_log(card, "event %s%s%s", fault_name(event->fault), *event->argument != '\0' ? " " : "",
           event->argument);
  switch (event->fault) {
    case FAULT_XRUN:
      return break_off(card, card_is_capture(card) ? "overrun" : "underrun");
    case FAULT_STALL:
      card->stalled_until = position_time(card) + atof(event->argument) / 1000;
      return is_stalled(card) ? STOPPED : MOVED;
    case FAULT_NODEV:
      card_disconnect(card, "by script");
      return STOPPED;
    case FAULT_SUSPEND:
      card->running = false;
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
      return STOPPED;
    case FAULT_EIO:
      card->running = false;
      card->io_error =
          strcmp(event->argument, "once") == 0 ? IO_FAILS_UNTIL_PREPARE : IO_FAILS_FOR_GOOD;
      return STOPPED;
    case FAULT_SIGNAL:
      // To the process: the thread that asks the card may keep signals away from itself.
      kill(getpid(), atoi(event->argument));
      return MOVED;
    case FAULT_TOUCH:
      touch(event->argument);
      return MOVED;
    case FAULT_LATE:
      usleep((useconds_t)(atof(event->argument) * 1000));
      return MOVED;
    case FAULT_COUNT:
      break;
  }
  return MOVED;
}

static bool is_unplugged(const struct virtual_card *card) {
  const char *path = card->settings.present_path;
  return path != NULL && access(path, F_OK) != 0;
}

int card_advance(struct virtual_card *card) {
  if (card->disconnected || is_unplugged(card)) {
    card_disconnect(card, "unplugged");
    return 0;
  }
  if (!card->running || card->input_ended || is_stalled(card)) return 0;

  while (true) {
    // Again after each event, for the client may have been kept waiting.
    uint64_t due = position_due(card);
    const struct script_event *event = script_peek(&card->script);
    if (event != NULL && event->position > due) event = NULL;
    uint64_t target = event != NULL ? event->position : due;
    if (target < card->position) target = card->position;

    enum movement movement = move_to(card, target);
    if (movement == MOVED && event != NULL) {
      card->script.next++;
      movement = fire(card, event);
      // A client that was late gets the time to the next event to catch up.
      bool was_late = event->fault == FAULT_LATE;
      if (card->running) script_arm(&card->script, was_late ? position_due(card) : card->position);
    } else if (movement == MOVED) {
      return 0;
    }
    if (movement != MOVED) return movement == BROKEN_OFF ? -EPIPE : 0;
  }
}
