// SPDX-License-Identifier: Apache-2.0
/// Counts what the device threads of a program allocate and lock, for LD_PRELOAD.
///
/// A device thread is one that the system knows as `capture` or `playback`. It is watched from its
/// twentieth wait for the device until it drops what is left. The process callback of a JACK client is watched from
/// its twentieth call on. What happens inside of a call into libasound is
/// libasound's, and counted apart. When the program ends, a line goes to the file that
/// ALLOCATION_COUNTER_LOG names:
///
///     waits=400 own=0 library_allocations=0 library_locks=1600
///
/// and before it one for each of the program's own events: its kind, and who did it.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { WARM_UP = 20, LISTED = 64 };

enum kind { ALLOCATION, LOCK };

static atomic_long waits, own, library[2];
static struct {
  const char *function;
  void *caller;
} events[LISTED];

// A thread's own; initial-exec, because any other kind of such a variable may itself be allocated.
#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))
PER_THREAD int depth;
PER_THREAD long thread_waits;
PER_THREAD bool is_device, is_done;

/// glibc's own names for what is replaced here.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static bool is_watched(void) {
  if (is_done || thread_waits < WARM_UP) return false;
  return is_device;
}

static void note(enum kind kind, const char *function, void *caller) {
  if (!is_watched()) return;
  if (depth > 0) {
    atomic_fetch_add(&library[kind], 1);
    return;
  }
  long index = atomic_fetch_add(&own, 1);
  if (index >= LISTED) return;
  events[index].function = function;
  events[index].caller = caller;
}

#define NOTE(kind) note(kind, __func__, __builtin_return_address(0))

// MARK: Memory

void *malloc(size_t size) {
  NOTE(ALLOCATION);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  NOTE(ALLOCATION);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  NOTE(ALLOCATION);
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  NOTE(ALLOCATION);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  NOTE(ALLOCATION);
  void *got = __libc_memalign(alignment, size);
  if (got == NULL) return 12;  // ENOMEM
  *memory = got;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) NOTE(ALLOCATION);
  __libc_free(memory);
}

// MARK: Locks

#define LOCKING(name, type)                                       \
  int name(type *lock) {                                          \
    static int (*real)(type *);                                   \
    if (real == NULL) real = (int (*)(type *))dlsym(RTLD_NEXT, #name); \
    NOTE(LOCK);                                                   \
    return real(lock);                                            \
  }

LOCKING(pthread_mutex_lock, pthread_mutex_t)
LOCKING(pthread_mutex_trylock, pthread_mutex_t)
LOCKING(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCKING(pthread_rwlock_wrlock, pthread_rwlock_t)

// MARK: Calls into libasound that a device thread makes

#define LIBRARY(type, name, parameters, ...)                                \
  type name parameters {                                                    \
    static type(*real) parameters;                                          \
    if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);    \
    depth++;                                                                \
    type result = real(__VA_ARGS__);                                        \
    depth--;                                                                \
    return result;                                                          \
  }

LIBRARY(snd_pcm_sframes_t, snd_pcm_readi, (snd_pcm_t * pcm, void *to, snd_pcm_uframes_t count), pcm,
        to, count)
LIBRARY(snd_pcm_sframes_t, snd_pcm_writei,
        (snd_pcm_t * pcm, const void *from, snd_pcm_uframes_t count), pcm, from, count)
LIBRARY(snd_pcm_sframes_t, snd_pcm_avail, (snd_pcm_t * pcm), pcm)
LIBRARY(snd_pcm_sframes_t, snd_pcm_forward, (snd_pcm_t * pcm, snd_pcm_uframes_t count), pcm, count)
LIBRARY(snd_pcm_state_t, snd_pcm_state, (snd_pcm_t * pcm), pcm)
LIBRARY(int, snd_pcm_status, (snd_pcm_t * pcm, snd_pcm_status_t *status), pcm, status)
LIBRARY(int, snd_pcm_delay, (snd_pcm_t * pcm, snd_pcm_sframes_t *delay), pcm, delay)
LIBRARY(int, snd_pcm_prepare, (snd_pcm_t * pcm), pcm)
LIBRARY(int, snd_pcm_start, (snd_pcm_t * pcm), pcm)
LIBRARY(int, snd_pcm_resume, (snd_pcm_t * pcm), pcm)
LIBRARY(int, snd_pcm_pause, (snd_pcm_t * pcm, int is_on), pcm, is_on)
LIBRARY(int, snd_pcm_drain, (snd_pcm_t * pcm), pcm)

int snd_pcm_wait(snd_pcm_t *pcm, int milliseconds) {
  static int (*real)(snd_pcm_t *, int);
  if (real == NULL) real = (int (*)(snd_pcm_t *, int))dlsym(RTLD_NEXT, "snd_pcm_wait");
  if (thread_waits++ == 0) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    is_device = strcmp(name, "capture") == 0 || strcmp(name, "playback") == 0;
  }
  if (is_watched()) atomic_fetch_add(&waits, 1);
  depth++;
  int result = real(pcm, milliseconds);
  depth--;
  return result;
}

// MARK: The process callback of a JACK client, and the calls that it makes into libjack

static int (*process)(uint32_t, void *);

static int counted_process(uint32_t count, void *context) {
  is_device = true;
  thread_waits++;
  if (is_watched()) atomic_fetch_add(&waits, 1);
  int result = process(count, context);
  is_device = false;
  return result;
}

int jack_set_process_callback(void *client, int (*callback)(uint32_t, void *), void *context) {
  int (*real)(void *, int (*)(uint32_t, void *), void *) =
      (int (*)(void *, int (*)(uint32_t, void *), void *))dlsym(RTLD_NEXT, "jack_set_process_callback");
  process = callback;
  return real(client, counted_process, context);
}

LIBRARY(uint32_t, jack_last_frame_time, (const void *client), client)
LIBRARY(void *, jack_port_get_buffer, (void *port, uint32_t count), port, count)

int snd_pcm_drop(snd_pcm_t *pcm) {
  static int (*real)(snd_pcm_t *);
  if (real == NULL) real = (int (*)(snd_pcm_t *))dlsym(RTLD_NEXT, "snd_pcm_drop");
  is_done = true;
  return real(pcm);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("ALLOCATION_COUNTER_LOG");
  // Programs that start this one end after it and have nothing to say.
  bool is_of_use = path != NULL && atomic_load(&waits) > 0;
  FILE *log = is_of_use ? fopen(path, "we") : NULL;
  if (log == NULL) return;
  long count = atomic_load(&own);
  for (long i = 0; i < count && i < LISTED; i++) {
    Dl_info from = {0};
    dladdr(events[i].caller, &from);
    fprintf(log, "%s by %s in %s\n", events[i].function,
            from.dli_sname != NULL ? from.dli_sname : "?",
            from.dli_fname != NULL ? from.dli_fname : "?");
  }
  fprintf(log, "waits=%ld own=%ld library_allocations=%ld library_locks=%ld\n",
          atomic_load(&waits), count, atomic_load(&library[ALLOCATION]),
          atomic_load(&library[LOCK]));
  fclose(log);
}
