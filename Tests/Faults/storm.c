// SPDX-License-Identifier: Apache-2.0
/// Interrupts a program a thousand times a second, for LD_PRELOAD: every system call that waits fails with
/// EINTR in the end, because the handler does not ask for a restart.

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static void nothing(int number) { (void)number; }

__attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_handler = nothing};
  struct itimerval every = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
}
