// SPDX-License-Identifier: Apache-2.0
/// A sound card made of software: an ALSA external PCM plugin for tests on machines without one.
///
/// The card has its own clock, a ring that the clock fills or empties as DMA does, the over- and
/// underruns that follow from it, faults that happen at scripted positions, and a log that records
/// the truth from the device's side. README.md lists what can be set.
///
/// The card has no thread. Whenever the client calls libasound, the card computes what a device
/// would have done since the last call and does it; an event therefore takes effect at the first
/// call after its time. A handle serves one client thread at a time.
#ifndef VIRTUAL_CARD_H
#define VIRTUAL_CARD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// MARK: Settings (settings.c)

enum end_of_input { END_SILENCE, END_LOOP, END_NODEV, END_STALL };

struct value_list {
  unsigned values[32];
  unsigned count;
};

/// What the configuration says about one card. Paths that are not set are NULL.
struct card_settings {
  char *input_path;
  char *output_path;
  char *log_path;
  char *present_path;
  char *plugin_name;
  char *events;
  enum end_of_input at_end_of_input;
  double speed;
  unsigned grain;
  bool keeps_position;
  bool stops_at_overrun;
  bool cannot_pause;
  /// As snd_pcm_chmap_parse_string takes it; NULL where the card does not say.
  char *channel_map;
  int open_errno;
  int hw_errno;
  int prepare_errno;
  int start_errno;
  struct value_list formats;
  struct value_list rates;
  struct value_list channels;
  unsigned minimum_period_bytes;
  unsigned maximum_period_bytes;
  /// Periods are whole numbers of it, up to 64; 0 = of any length.
  unsigned period_bytes_step;
  unsigned maximum_buffer_bytes;
};

/// Fills `settings` from a `pcm.NAME { type virtual_card … }` node; 0 or a negative errno.
int settings_read(struct card_settings *settings, snd_config_t *configuration);
void settings_release(struct card_settings *settings);

// MARK: Script (script.c)

enum fault {
  FAULT_XRUN,
  FAULT_STALL,
  FAULT_NODEV,
  FAULT_SUSPEND,
  FAULT_EIO,
  FAULT_SIGNAL,
  FAULT_TOUCH,
  FAULT_LATE,
  FAULT_COUNT
};

struct script_event {
  // Of a relative event: frames behind the one before it, until script_arm() gives it its position.
  uint64_t position;
  bool is_relative;
  enum fault fault;
  char argument[256];
};

/// Events in order of position; those before `next` have happened.
struct script {
  struct script_event *events;
  size_t count;
  size_t next;
};

/// Parses "POSITION:FAULT[:ARGUMENT] …"; 0 or a negative errno.
int script_parse(struct script *script, const char *text);
/// The next event that has a position, or NULL where there is none.
const struct script_event *script_peek(const struct script *script);
/// Gives the next event, where it is relative, its position: so many frames behind `position`.
void script_arm(struct script *script, uint64_t position);
void script_release(struct script *script);
const char *fault_name(enum fault fault);

// MARK: Card (device.c, transfer.c, wakeup.c)

enum io_error { IO_WORKS, IO_FAILS_UNTIL_PREPARE, IO_FAILS_FOR_GOOD };

struct virtual_card {
  snd_pcm_ioplug_t io;
  struct card_settings settings;
  struct script script;
  FILE *log;
  int input;
  int output;
  int timer;
  uint64_t input_frames;

  // Agreed with the client.
  size_t frame_bytes;
  snd_pcm_uframes_t boundary;
  snd_pcm_uframes_t stop_threshold;
  snd_pcm_uframes_t avail_min;

  // The clock read `clock_position` at `clock_time` (CLOCK_MONOTONIC, seconds).
  double clock_time;
  uint64_t clock_position;
  double stalled_until;

  // Frames of device time since the first start, recorded, played or lost.
  uint64_t position;
  // The next frame of the input file.
  uint64_t input_position;
  // The device's pointer into the ring since the last prepare, modulo `boundary`.
  snd_pcm_uframes_t ring_pointer;

  bool running;
  bool was_started;
  bool disconnected;
  bool input_ended;
  enum io_error io_error;

  uint64_t xruns;
  uint64_t lost;
  uint64_t played;
};

double monotonic_seconds(void);
bool card_is_capture(const struct virtual_card *card);
/// What the client may read or write now; more than the buffer when a free-running ring overflowed.
snd_pcm_uframes_t card_avail(const struct virtual_card *card);

/// Sets the clock to the card's position, now.
void card_set_clock(struct virtual_card *card);
/// Where a paced clock stands now.
uint64_t card_clock_position(const struct virtual_card *card);
/// Does what the device would have done up to now; 0, or -EPIPE at an over- or underrun.
int card_advance(struct virtual_card *card);
/// The position at which the client will have something to do: enough to read or write, an xrun, the
/// end of a drain or of the input, an event.
uint64_t card_next_position(const struct virtual_card *card);
void card_disconnect(struct virtual_card *card, const char *reason);

/// Moves `frames` from the input into the ring, or from the ring to the output.
void card_transfer(struct virtual_card *card, uint64_t frames);

/// Makes the descriptor that the client polls ready now, so that it asks what there is.
void card_wake_now(struct virtual_card *card);
/// Makes it ready when the device next has something to say, which may be never.
void card_wake_when_due(struct virtual_card *card);

__attribute__((format(printf, 2, 3))) void card_log(
    struct virtual_card *card, const char *format, ...);

// MARK: libasound's side (callbacks.c, plugin.c)

extern const snd_pcm_ioplug_callback_t card_callbacks;
/// Those of a card that cannot pause.
extern const snd_pcm_ioplug_callback_t pauseless_card_callbacks;
void card_release(struct virtual_card *card);

#endif
