// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer when a thread has waited for a semaphore with sem_clockwait, which it does not know:
// what the thread that posted it handed over would be reported as a race. sem_post it knows.
// (sanitizer/tsan_interface.h)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <time.h>

typedef int wait_function(sem_t *, clockid_t, const struct timespec *);

// Only programs that were built with the sanitizer have this.
__attribute__((weak)) void __tsan_acquire(void *address);

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                  const struct timespec *restrict deadline) {
  wait_function *wait = (wait_function *)dlsym(RTLD_NEXT, "sem_clockwait");
  const int result = wait(semaphore, clock, deadline);
  if (result == 0 && __tsan_acquire) __tsan_acquire(semaphore);
  return result;
}
