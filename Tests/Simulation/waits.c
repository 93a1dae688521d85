// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){nanoseconds / second, nanoseconds % second};
}

static int64_t nanoseconds_of(const struct timespec *time) {
  return (int64_t)time->tv_sec * second + time->tv_nsec;
}

// MARK: Clocks

static bool is_of_day(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!is_simulated()) {
    return (int)kernel_errno(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
  }
  baton_offer();
  *time = timespec_of(is_of_day(clock) ? clock_of_day() : clock_monotonic());
  trace((uint64_t)clock_monotonic(), "clock %d", clock);
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}

/// As of a machine whose clock follows another one, or does not.
int adjtimex(struct timex *state) {
  if (!is_simulated()) return (int)kernel_errno(SYS_adjtimex, (long)state, 0, 0, 0, 0, 0);
  *state = (struct timex){.status = setting.is_synchronized ? 0 : STA_UNSYNC};
  trace(setting.is_synchronized, "asks whether the clock follows another one");
  return setting.is_synchronized ? TIME_OK : TIME_ERROR;
}

// MARK: Sleep

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request,
                    struct timespec *rest) {
  if (!is_simulated()) {
    return (int)-kernel(SYS_clock_nanosleep, clock, flags, (long)request, (long)rest, 0, 0);
  }
  int64_t duration = nanoseconds_of(request);
  if (flags & TIMER_ABSTIME) {
    duration -= is_of_day(clock) ? clock_of_day() : clock_monotonic();
  }
  trace((uint64_t)duration, "sleep");
  int64_t end = clock_monotonic() + duration;
  if (baton_sleep(duration, true)) return 0;
  int64_t left = end - clock_monotonic();
  if (rest != NULL) *rest = timespec_of(left > 0 ? left : 0);
  return EINTR;
}

int nanosleep(const struct timespec *request, struct timespec *rest) {
  int code = clock_nanosleep(CLOCK_MONOTONIC, 0, request, rest);
  if (code != 0) errno = code;
  return code == 0 ? 0 : -1;
}

int usleep(useconds_t microseconds) {
  struct timespec request = timespec_of((int64_t)microseconds * 1000);
  return nanosleep(&request, NULL);
}

// MARK: Semaphores: only their value is kept, in the first word.

static bool has_value(const void *semaphore) { return *(const unsigned *)semaphore > 0; }

int sem_init(sem_t *semaphore, int is_shared, unsigned value) {
  (void)is_shared;
  *(unsigned *)semaphore = value;
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}

int sem_post(sem_t *semaphore) {
  simulation_set_up();
  ++*(unsigned *)semaphore;
  if (!is_simulated()) return 0;
  trace(0, "post");
  baton_offer();
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  if (is_simulated()) baton_offer();
  if (has_value(semaphore)) {
    --*(unsigned *)semaphore;
    return 0;
  }
  errno = EAGAIN;
  return -1;
}

static int wait_for(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  int64_t time = deadline != NULL ? nanoseconds_of(deadline) : INT64_MAX;
  enum waking waking = has_value(semaphore)
                           ? WAKING_OVER
                           : baton_wait(has_value, semaphore, time, is_of_day(clock), true);
  trace((uint64_t)waking, "semaphore");
  if (waking == WAKING_OVER) {
    --*(unsigned *)semaphore;
    return 0;
  }
  errno = waking == WAKING_SIGNAL ? EINTR : ETIMEDOUT;
  return -1;
}

int sem_wait(sem_t *semaphore) { return wait_for(semaphore, CLOCK_MONOTONIC, NULL); }

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  return wait_for(semaphore, CLOCK_REALTIME, deadline);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                  const struct timespec *restrict deadline) {
  return wait_for(semaphore, clock, deadline);
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  *value = (int)*(unsigned *)semaphore;
  return 0;
}

// MARK: Mutexes: those of the C library are only tried, those of Swift are words with the owner's id.

static bool is_word_free(const void *word) {
  return (*(const uint32_t *)word & FUTEX_TID_MASK) == 0;
}

struct expectation {
  const uint32_t *word;
  uint32_t value;
};

static bool has_changed(const void *argument) {
  const struct expectation *expectation = argument;
  return *expectation->word != expectation->value;
}

static long simulated_futex(uint32_t *word, int operation, uint32_t value,
                            const struct timespec *limit) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
      if (!is_word_free(word)) baton_wait(is_word_free, word, INT64_MAX, false, false);
      *word = (uint32_t)kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
      return 0;
    case FUTEX_TRYLOCK_PI:
      if (!is_word_free(word)) return -EAGAIN;
      *word = (uint32_t)kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
      return 0;
    case FUTEX_UNLOCK_PI:
      *word = 0;
      baton_offer();
      return 0;
    case FUTEX_WAIT: {
      if (*word != value) return -EAGAIN;
      struct expectation expectation = {word, value};
      int64_t deadline =
          limit != NULL ? clock_monotonic() + nanoseconds_of(limit) : INT64_MAX;
      switch (baton_wait(has_changed, &expectation, deadline, false, true)) {
        case WAKING_OVER: return 0;
        case WAKING_DEADLINE: return -ETIMEDOUT;
        case WAKING_SIGNAL: return -EINTR;
      }
      return 0;
    }
    case FUTEX_WAKE:
      baton_offer();
      return 1;
    default:
      end_hung("unknown futex", "");
  }
}

long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long),
       d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
  va_end(arguments);
  if (is_simulated() && number == SYS_futex) {
    long result =
        simulated_futex((uint32_t *)a, (int)b, (uint32_t)c, (const struct timespec *)d);
    if (result < 0) errno = (int)-result;
    return result < 0 ? -1 : result;
  }
  if (is_simulated() && number == SYS_renameat2) {
    return change_name((const char *)b, (const char *)d, (unsigned)e);
  }
  if (is_simulated() && number == SYS_prctl && a == 15) baton_name_thread((const char *)b);
  return kernel_errno(number, a, b, c, d, e, f);
}

static bool can_be_locked(const void *argument) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)argument;
  if (pthread_mutex_trylock(mutex) != 0) return false;
  pthread_mutex_unlock(mutex);
  return true;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  while (true) {
    int code = pthread_mutex_trylock(mutex);
    if (code != EBUSY || !is_simulated()) return code;
    baton_wait(can_be_locked, mutex, INT64_MAX, false, false);
  }
}

static bool is_done(const void *once) { return *(const int *)once == 2; }

int pthread_once(pthread_once_t *once, void (*body)(void)) {
  int *state = (int *)once;
  if (*state == 2) return 0;
  if (*state == 1 && is_simulated()) {
    baton_wait(is_done, once, INT64_MAX, false, false);
    return 0;
  }
  *state = 1;
  body();
  *state = 2;
  return 0;
}

// MARK: Descriptors that are timers, and polling

enum { MOST_TIMERS = 16 };
static struct {
  int descriptor;
  int64_t expiry;
} timers[MOST_TIMERS];
static int timer_count;

static int64_t *expiry_of(int descriptor) {
  for (int i = 0; i < timer_count; i++) {
    if (timers[i].descriptor == descriptor) return &timers[i].expiry;
  }
  return NULL;
}

int timerfd_create(clockid_t clock, int flags) {
  int descriptor = (int)kernel_errno(SYS_timerfd_create, clock, flags, 0, 0, 0, 0);
  if (!is_simulated() || descriptor < 0) return descriptor;
  int64_t *expiry = expiry_of(descriptor);
  if (expiry == NULL) {
    if (timer_count == MOST_TIMERS) end_hung("too many timers", "");
    timers[timer_count].descriptor = descriptor;
    expiry = &timers[timer_count++].expiry;
  }
  *expiry = INT64_MAX;
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value,
                    struct itimerspec *old) {
  int64_t *expiry = is_simulated() ? expiry_of(descriptor) : NULL;
  if (expiry == NULL) {
    return (int)kernel_errno(
        SYS_timerfd_settime, descriptor, flags, (long)value, (long)old, 0, 0);
  }
  int64_t time = nanoseconds_of(&value->it_value);
  if (time == 0) *expiry = INT64_MAX;
  else *expiry = flags & TFD_TIMER_ABSTIME ? time : clock_monotonic() + time;
  return 0;
}

/// What the kernel and the timers say now.
static int polled(struct pollfd *requests, nfds_t count) {
  struct timespec none = {0};
  int ready = (int)kernel(SYS_ppoll, (long)requests, (long)count, (long)&none, 0, 0, 0);
  for (nfds_t i = 0; i < count; i++) {
    const int64_t *expiry = expiry_of(requests[i].fd);
    if (expiry == NULL || *expiry > clock_monotonic() || !(requests[i].events & POLLIN)) continue;
    if (requests[i].revents == 0) ready++;
    requests[i].revents |= POLLIN;
  }
  return ready;
}

static bool not_before(const void *argument) {
  (void)argument;
  return false;
}

int poll(struct pollfd *requests, nfds_t count, int milliseconds) {
  if (!is_simulated()) {
    // arm64 has no poll.
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    long limit = milliseconds < 0 ? 0 : (long)&time;
    return (int)kernel_errno(SYS_ppoll, (long)requests, (long)count, limit, 0, 0, 0);
  }
  int64_t deadline = milliseconds < 0 ? INT64_MAX
                                      : clock_monotonic() + (int64_t)milliseconds * 1000000;
  baton_offer();
  while (true) {
    int ready = polled(requests, count);
    if (ready < 0) {
      errno = -ready;
      return -1;
    }
    if (ready > 0 || clock_monotonic() >= deadline) {
      trace((uint64_t)ready, "poll");
      return ready;
    }
    int64_t next = deadline;
    for (nfds_t i = 0; i < count; i++) {
      const int64_t *expiry = expiry_of(requests[i].fd);
      if (expiry != NULL && *expiry < next) next = *expiry;
    }
    // The world outside does not stand still with us: ask it again.
    int64_t again = clock_monotonic() + 10000000;
    bool asks_outside = next == INT64_MAX;
    if (baton_wait(not_before, NULL, asks_outside ? again : next, false, true) == WAKING_SIGNAL) {
      errno = EINTR;
      return -1;
    }
  }
}

// MARK: Signals

int kill(pid_t process, int number) {
  if (!is_simulated() || process != getpid()) {
    return (int)kernel_errno(SYS_kill, process, number, 0, 0, 0, 0);
  }
  baton_signal(number);
  baton_offer();
  return 0;
}
