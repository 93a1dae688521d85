// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <errno.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>

void run_other(void) {
  if (setting.other == NULL) return;
  fault_counts[FAULT_OTHER]++;
  trace(0, "another process begins");
  char *const words[] = {"/bin/sh", "-c", (char *)setting.other, NULL};
  char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", NULL};
  pid_t process;
  if (posix_spawn(&process, words[0], NULL, NULL, words, environment) != 0) {
    end_hung("another process cannot begin", "");
  }
  int status;
  while (kernel(SYS_wait4, process, (long)&status, 0, 0, 0, 0) == -EINTR) continue;
  trace((uint64_t)status, "another process ends");
}
