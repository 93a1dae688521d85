// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <sys/timerfd.h>
#include <unistd.h>

// The descriptor that clients poll is a timer. It expires at the time when the device will next
// have something to say and stays expired until then has been dealt with, so that a client of a
// device that says nothing any more runs into its own time-out, as it would with hardware.

static const double unpaced_interval = 20e-6;
static const double unplug_check_interval = 0.02;

static void set_timer(struct virtual_card *card, double seconds_from_now) {
  if (seconds_from_now < 1e-9) seconds_from_now = 1e-9;
  struct itimerspec timer = {0};
  timer.it_value.tv_sec = (time_t)seconds_from_now;
  timer.it_value.tv_nsec = (long)((seconds_from_now - (double)timer.it_value.tv_sec) * 1e9) + 1;
  if (timer.it_value.tv_nsec > 999999999) timer.it_value.tv_nsec = 999999999;
  timerfd_settime(card->timer, 0, &timer, NULL);
}

static void clear_timer(struct virtual_card *card) {
  const struct itimerspec never = {0};
  timerfd_settime(card->timer, 0, &never, NULL);
}

/// Seconds until the device has moved as far as matters to its client, or a negative number when
/// it will not move at all.
static double seconds_to_movement(const struct virtual_card *card) {
  if (card->stalled_until != 0) return card->stalled_until - monotonic_seconds();
  if (!card->running || card->input_ended) return -1;
  if (card->settings.speed <= 0) return unpaced_interval;
  uint64_t target = card_next_position(card);
  uint64_t grain = card->settings.grain;
  target += (grain - target % grain) % grain;
  double frames = (double)(target - card->clock_position);
  double due = card->clock_time + frames / card->io.rate / card->settings.speed;
  double seconds = due - monotonic_seconds();
  return seconds > 0 ? seconds : 0;
}

void card_wake_now(struct virtual_card *card) { set_timer(card, 0); }

void card_wake_when_due(struct virtual_card *card) {
  double seconds = seconds_to_movement(card);
  bool watches = card->settings.present_path != NULL;
  if (watches && (seconds < 0 || seconds > unplug_check_interval)) seconds = unplug_check_interval;
  if (seconds < 0) {
    clear_timer(card);
  } else {
    set_timer(card, seconds);
  }
}
