// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Names of files on the disk that can fail: each change of one is a place where the process may be killed, or where
// another process comes between.

static uint64_t renaming_count;

const char *path_on_disk(const char *path) {
  if (!setting.has_names) return path[0] != '/' && path[0] != '.' ? path : NULL;
  static char folder[PATH_MAX];
  if (folder[0] == '\0' && getcwd(folder, sizeof folder) == NULL) abort();
  size_t length = strlen(folder);
  if (path[0] == '/') {
    if (strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
    path += length + 1;
  }
  bool is_folder = path[strcspn(path, "/")] == '\0' && strspn(path, ".") == strlen(path);
  return is_folder || strncmp(path, "../", 3) == 0 ? NULL : path;
}

/// The event that waits for this change of a name.
static const struct event *event_of_renaming(void) {
  for (size_t i = 0; i < script.count; i++) {
    if (script.events[i].renaming == renaming_count) return &script.events[i];
  }
  return NULL;
}

/// What `change` does, as the process, the disk and others let it.
///
/// Returns 0, or -1 and errno.
static int renaming(const char *what, const char *path, long (*change)(const void *),
                    const void *argument) {
  renaming_count++;
  const struct event *event = event_of_renaming();
  bool is_end = event != NULL && event->fault == FAULT_KILL;
  if (event != NULL && event->fault == FAULT_OTHER) run_other();
  else if (event != NULL && !is_end) fault_begin(event);
  if (is_end && strcmp(event->text, "after") != 0) end_killed(fault_names[event->fault]);
  int code = is_end ? 0 : fault_of_call();
  // Names do not wait for a signal.
  if (code == EINTR) code = 0;
  trace((uint64_t)code, "%s %s", what, path);
  long result = code == 0 ? change(argument) : -code;
  if (is_end) end_killed(fault_names[event->fault]);
  if (result == 0) return 0;
  errno = (int)-result;
  return -1;
}

struct names {
  const char *from, *to;
  unsigned flags;
};

static long change(const void *argument) {
  const struct names *names = argument;
  return kernel(SYS_renameat2, AT_FDCWD, (long)names->from, AT_FDCWD, (long)names->to,
                names->flags, 0);
}

int change_name(const char *from, const char *to, unsigned flags) {
  struct names names = {from, to, flags};
  if (is_simulated() && setting.has_names && path_on_disk(to) != NULL) {
    return renaming("rename to", path_on_disk(to), change, &names);
  }
  return (int)kernel_errno(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to, flags, 0);
}

int rename(const char *from, const char *to) { return change_name(from, to, 0); }

static long take_away(const void *path) {
  return kernel(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

int unlink(const char *path) {
  if (is_simulated() && setting.has_names && path_on_disk(path) != NULL) {
    return renaming("unlink", path_on_disk(path), take_away, path);
  }
  return (int)kernel_errno(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}
