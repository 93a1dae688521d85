// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct thread {
  bool exists;
  int number;
  char name[16];
  pthread_t id;
  // 1 where the thread may run: what it sleeps on while another has the baton.
  int go;

  bool waits;
  bool (*is_over)(const void *);
  const void *argument;
  int64_t deadline;
  bool is_of_day;
  bool is_interruptible;
  // Until then the processor is somebody else's.
  int64_t late_until;
  // Bits of signals that are still to be delivered.
  uint64_t signals;

  void *(*start)(void *);
  void *start_argument;
  void *result;
  bool is_detached;
  bool has_finished;
};

static struct thread threads[MOST_THREADS];
static int thread_total;
static __thread struct thread *me __attribute__((tls_model("initial-exec")));
static bool is_set_up;
// A thread that gave the baton away for good and is ending: nobody runs before it has.
static struct thread *leaving;

static int64_t now = 1000000000000;  // nanoseconds
static int64_t day_offset = 1700000000000000000 - 1000000000000;

static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*real_join)(pthread_t, void **);

bool is_simulated(void) { return is_set_up && me != NULL; }
int64_t clock_monotonic(void) { return now; }
int64_t clock_of_day(void) { return now + day_offset; }
void clock_set_day(int64_t nanoseconds) { day_offset = nanoseconds - now; }
void clock_advance(int64_t nanoseconds) { now += nanoseconds; }
const char *baton_thread_name(void) { return me->name; }

void baton_name_thread(const char *name) {
  memset(me->name, 0, sizeof me->name);
  strncpy(me->name, name, sizeof me->name - 1);
}

// MARK: What happens by itself

static void happen(const struct event *event) {
  trace((uint64_t)event->fault, "event %s %s", fault_names[event->fault], event->text);
  switch (event->fault) {
    case FAULT_LATE:
      for (int i = 0; i < thread_total; i++) {
        if (!threads[i].exists || strcmp(threads[i].name, event->text) != 0) continue;
        threads[i].late_until = now + event->amount;
        fault_counts[FAULT_LATE]++;
      }
      return;
    case FAULT_STEP:
      fault_counts[FAULT_STEP]++;
      day_offset += event->amount;
      return;
    case FAULT_SIGNAL:
      fault_counts[FAULT_SIGNAL]++;
      baton_signal((int)event->amount);
      return;
    case FAULT_KILL:
      end_killed("kill");
    case FAULT_OTHER:
      run_other();
      return;
    case FAULT_POWER:
      disk_cut_power();
      end_killed("power");
    default:
      fault_begin(event);
  }
}

static void happen_all(void) {
  while (script.next < script.count && script.events[script.next].time <= now) {
    happen(&script.events[script.next++]);
  }
}

// MARK: Who runs next

static int64_t deadline_of(const struct thread *thread) {
  if (thread->deadline == INT64_MAX || !thread->is_of_day) return thread->deadline;
  return thread->deadline - day_offset;
}

static enum waking waking_of(const struct thread *thread) {
  if (thread->is_over(thread->argument)) return WAKING_OVER;
  return thread->is_interruptible && thread->signals != 0 ? WAKING_SIGNAL : WAKING_DEADLINE;
}

static bool is_ready(const struct thread *thread) {
  return !thread->waits || deadline_of(thread) <= now || waking_of(thread) != WAKING_DEADLINE;
}

static bool may_run(const struct thread *thread) {
  return thread->exists && !thread->has_finished && thread->late_until <= now && is_ready(thread);
}

/// When something will happen if nobody does anything.
static int64_t next_time(void) {
  int64_t earliest = script.next < script.count ? script.events[script.next].time : INT64_MAX;
  for (int i = 0; i < thread_total; i++) {
    const struct thread *thread = &threads[i];
    if (!thread->exists || thread->has_finished) continue;
    int64_t time = is_ready(thread) ? now : deadline_of(thread);
    if (time != INT64_MAX && time < thread->late_until) time = thread->late_until;
    if (time < earliest) earliest = time;
  }
  return earliest;
}

static void hang(const char *ending) {
  char text[2048] = "";
  size_t length = 0;
  for (int i = 0; i < thread_total && length < sizeof text - 80; i++) {
    const struct thread *thread = &threads[i];
    if (!thread->exists || thread->has_finished) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s %s; ", thread->name,
                               thread->waits ? "waits" : "runs");
  }
  end_hung(ending, text);
}

static struct thread *chosen(void) {
  while (true) {
    happen_all();
    struct thread *ready[MOST_THREADS];
    uint64_t count = 0;
    for (int i = 0; i < thread_total; i++) {
      if (may_run(&threads[i])) ready[count++] = &threads[i];
    }
    if (count > 0) return ready[count > 1 ? random_below(count) : 0];
    int64_t next = next_time();
    if (next == INT64_MAX) hang("deadlock");
    if (next > now) now = next;
    if (now > setting.limit) hang("limit");
  }
}

// MARK: Handing over

static void sleep_until_mine(struct thread *thread) {
  while (__atomic_load_n(&thread->go, __ATOMIC_ACQUIRE) == 0) {
    kernel(SYS_futex, (long)&thread->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  }
  thread->go = 0;
  if (leaving == NULL) return;
  struct thread *gone = leaving;
  leaving = NULL;
  real_join(gone->id, &gone->result);
  if (gone->is_detached) gone->exists = false;
}

static void hand_to(struct thread *thread) {
  switch_count++;
  __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
  kernel(SYS_futex, (long)&thread->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/// Delivers what is pending for the calling thread.
static void take_signals(void) {
  while (me->signals != 0) {
    int number = __builtin_ctzll(me->signals);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, number)) return;
    me->signals &= ~(1ULL << number);
    trace((uint64_t)number, "signal");
    struct sigaction action;
    sigaction(number, NULL, &action);
    if (action.sa_handler == SIG_DFL) report_write("signal", strsignal(number));
    kernel(SYS_tgkill, getpid(), kernel(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
  }
}

static void run_next(void) {
  struct thread *next = chosen();
  if (next != me) {
    struct thread *self = me;
    hand_to(next);
    sleep_until_mine(self);
  }
}

void baton_offer(void) {
  now += 20 + (int64_t)random_below(400);
  if (now > setting.limit) hang("limit");
  happen_all();
  if (random_chance(setting.preemption)) {
    me->late_until = now + (int64_t)random_below(20000000);
  }
  if (me->late_until > now || random_chance(setting.switching)) run_next();
  if (me->signals != 0) take_signals();
}

/// How much later than asked a thread wakes: usually little.
static int64_t latency(void) {
  uint64_t most = (uint64_t)setting.latency;
  if (random_chance(10000)) most *= 10;
  return (int64_t)random_below(most);
}

enum waking baton_wait(bool (*is_over)(const void *), const void *argument, int64_t deadline,
                       bool is_of_day, bool is_interruptible) {
  me->waits = true;
  me->is_over = is_over;
  me->argument = argument;
  me->deadline = deadline;
  if (deadline != INT64_MAX) me->deadline += latency();
  me->is_of_day = is_of_day;
  me->is_interruptible = is_interruptible;
  run_next();
  enum waking waking = waking_of(me);
  me->waits = false;
  if (me->signals != 0) take_signals();
  return waking;
}

static bool never(const void *argument) {
  (void)argument;
  return false;
}

bool baton_sleep(int64_t nanoseconds, bool is_interruptible) {
  return baton_wait(never, NULL, now + nanoseconds, false, is_interruptible) != WAKING_SIGNAL;
}

void baton_signal(int number) { threads[0].signals |= 1ULL << number; }

// MARK: Threads

static void *thread_main(void *argument) {
  struct thread *thread = argument;
  sleep_until_mine(thread);
  me = thread;
  void *result = thread->start(thread->start_argument);
  trace(0, "thread ends");
  thread->has_finished = true;
  struct thread *next = chosen();
  me = NULL;
  leaving = thread;
  hand_to(next);
  return result;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  simulation_set_up();
  if (!is_simulated()) return real_create(id, attributes, start, argument);
  int place = 0;
  while (place < thread_total && threads[place].exists) place++;
  if (place == MOST_THREADS) return EAGAIN;
  static int created;
  struct thread *thread = &threads[place];
  *thread = (struct thread){.number = ++created, .start = start, .start_argument = argument};
  int code = real_create(&thread->id, attributes, thread_main, thread);
  if (code != 0) return code;
  thread->exists = true;
  if (place == thread_total) thread_total++;
  *id = thread->id;
  trace((uint64_t)thread->number, "thread begins");
  baton_offer();
  return 0;
}

static struct thread *thread_of(pthread_t id) {
  for (int i = 0; i < thread_total; i++) {
    if (threads[i].exists && threads[i].number > 0 && pthread_equal(threads[i].id, id)) {
      return &threads[i];
    }
  }
  return NULL;
}

static bool has_finished(const void *argument) {
  return ((const struct thread *)argument)->has_finished;
}

int pthread_join(pthread_t id, void **result) {
  struct thread *thread = is_simulated() ? thread_of(id) : NULL;
  if (thread == NULL) return real_join(id, result);
  baton_wait(has_finished, thread, INT64_MAX, false, false);
  if (result != NULL) *result = thread->result;
  thread->exists = false;
  return 0;
}

int pthread_detach(pthread_t id) {
  struct thread *thread = is_simulated() ? thread_of(id) : NULL;
  if (thread == NULL) return ESRCH;
  thread->is_detached = true;
  if (thread->has_finished) thread->exists = false;
  return 0;
}

__attribute__((constructor)) void simulation_set_up(void) {
  if (is_set_up) return;
  *(void **)&real_create = dlsym(RTLD_NEXT, "pthread_create");
  *(void **)&real_join = dlsym(RTLD_NEXT, "pthread_join");
  // Programs that this one starts are not simulated.
  script_read();
  unsetenv("LD_PRELOAD");
  random_seed(setting.seed);
  threads[0] = (struct thread){.exists = true, .name = "main", .id = pthread_self()};
  thread_total = 1;
  me = &threads[0];
  is_set_up = true;
}
