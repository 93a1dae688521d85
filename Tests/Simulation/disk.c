// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The files that the program opens below its working directory lie on a disk that can fail. What was not
// forced onto it is remembered, so that a power cut can take it back.

enum { PAGE = 4096, MOST_DESCRIPTORS = 1024, MOST_FILES = 4096 };

/// A write that a power cut can still take back.
struct change {
  int64_t offset;
  int64_t count;
  int64_t old_size;
  int64_t old_count;
  unsigned char *old_bytes;
  unsigned char *bytes;
};

struct file {
  char *path;
  bool is_new;
  bool has_safe_name;
  struct change *changes;
  size_t change_count;
  /// After a power cut: up to where everything was on the disk; -1 where that was all.
  int64_t forced;
};

static struct file files[MOST_FILES];
static int file_count;
/// The file that a descriptor is open on; NULL where that is not ours.
static struct file *opened[MOST_DESCRIPTORS];
/// Where a full disk gave its last page.
static int64_t full_since;
static int64_t room_left;

static struct file *file_of(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? opened[descriptor] : NULL;
}

static bool cuts_power(void) {
  static int answer = -1;
  if (answer < 0) {
    answer = 0;
    for (size_t i = 0; i < script.count; i++) {
      if (script.events[i].fault == FAULT_POWER) answer = 1;
    }
  }
  return answer == 1;
}

// MARK: Faults that every call on a file meets

int fault_of_call(void) {
  baton_sleep(5000 + (int64_t)random_below(60000), false);
  if (fault_lasts(FAULT_STUCK)) {
    fault_counts[FAULT_STUCK]++;
    baton_sleep(fault_end(FAULT_STUCK) - clock_monotonic(), false);
  }
  if (fault_lasts(FAULT_SLOW)) {
    fault_counts[FAULT_SLOW]++;
    baton_sleep((int64_t)random_below((uint64_t)fault_most(FAULT_SLOW)), false);
  }
  if (fault_lasts(FAULT_EINTR) && random_chance(500000)) {
    fault_counts[FAULT_EINTR]++;
    return EINTR;
  }
  if (fault_lasts(FAULT_EIO)) {
    fault_counts[FAULT_EIO]++;
    return EIO;
  }
  return 0;
}

static int64_t size_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

/// How much of a write a full disk takes.
static int64_t taken_by_full_disk(int descriptor, int64_t offset, int64_t count) {
  if (full_since != fault_end(FAULT_FULL)) {
    full_since = fault_end(FAULT_FULL);
    room_left = (int64_t)random_below(2 * PAGE);
  }
  int64_t size = size_of(descriptor);
  int64_t grown = offset + count - size;
  if (grown <= 0) return count;
  fault_counts[FAULT_FULL]++;
  int64_t room = grown < room_left ? grown : room_left;
  room_left -= room;
  int64_t within = size > offset ? size - offset : 0;
  return within + room;
}

// MARK: Writing

static void remember(struct file *file, int descriptor, const void *bytes, int64_t count,
                     int64_t offset) {
  if (!cuts_power()) return;
  struct change *grown = realloc(file->changes, (file->change_count + 1) * sizeof *grown);
  if (grown == NULL) abort();
  file->changes = grown;
  struct change *change = &grown[file->change_count++];
  *change = (struct change){.offset = offset, .count = count, .old_size = size_of(descriptor)};
  change->bytes = malloc((size_t)count + 1);
  change->old_bytes = malloc((size_t)count + 1);
  if (change->bytes == NULL || change->old_bytes == NULL) abort();
  memcpy(change->bytes, bytes, (size_t)count);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  long reader = kernel(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0, 0, 0);
  long old = kernel(SYS_pread64, reader, (long)change->old_bytes, count, offset, 0, 0);
  change->old_count = old > 0 ? old : 0;
  kernel(SYS_close, reader, 0, 0, 0, 0, 0);
}

static void forget(struct file *file) {
  for (size_t i = 0; i < file->change_count; i++) {
    free(file->changes[i].bytes);
    free(file->changes[i].old_bytes);
  }
  free(file->changes);
  file->changes = NULL;
  file->change_count = 0;
}

/// The event that waits for this write.
static const struct event *event_of_operation(void) {
  for (size_t i = 0; i < script.count; i++) {
    if (script.events[i].operation == operation_count) return &script.events[i];
  }
  return NULL;
}

/// How many bytes reach the file before the process is killed in this write; -1 where it is not. The kernel
/// looks between pages whether the process is to die.
static int64_t torn(const struct event *event, int64_t count, int64_t offset) {
  if (event == NULL) return -1;
  if (event->fault == FAULT_OTHER) run_other();
  else if (event->fault != FAULT_KILL && event->fault != FAULT_POWER) fault_begin(event);
  if (event->fault != FAULT_KILL && event->fault != FAULT_POWER) return -1;
  if (strcmp(event->text, "before") == 0) return 0;
  if (strcmp(event->text, "after") == 0) return count;
  int64_t end = (offset + (int64_t)random_below((uint64_t)count + PAGE)) / PAGE * PAGE;
  if (end < offset) return 0;
  return end < offset + count ? end - offset : count;
}

static ssize_t write_to(struct file *file, int descriptor, const void *bytes, size_t count,
                        int64_t offset, bool moves) {
  operation_count++;
  const struct event *event = event_of_operation();
  if (moves) {
    bool appends = fcntl(descriptor, F_GETFL) & O_APPEND;
    offset = appends ? size_of(descriptor) : lseek(descriptor, 0, SEEK_CUR);
  }
  int64_t last = torn(event, (int64_t)count, offset);
  int code = last < 0 ? fault_of_call() : 0;
  int64_t taken = last < 0 ? (int64_t)count : last;
  if (code == 0 && fault_lasts(FAULT_FULL)) {
    taken = taken_by_full_disk(descriptor, offset, taken);
    if (taken == 0 && count > 0 && last < 0) code = ENOSPC;
  }
  if (code == 0 && fault_lasts(FAULT_SHORT) && taken > 1) {
    fault_counts[FAULT_SHORT]++;
    taken = 1 + (int64_t)random_below((uint64_t)taken);
  }
  trace((uint64_t)offset, "write %s %zu: %lld, error %d", file->path, count, (long long)taken,
        code);
  if (code != 0) {
    errno = code;
    return -1;
  }
  trace_bytes(bytes, (size_t)taken);
  remember(file, descriptor, bytes, taken, offset);
  ssize_t result = moves ? kernel_errno(SYS_write, descriptor, (long)bytes, taken, 0, 0, 0)
                         : kernel_errno(SYS_pwrite64, descriptor, (long)bytes, taken, offset, 0, 0);
  if (last >= 0) {
    if (event->fault == FAULT_POWER) disk_cut_power();
    end_killed(fault_names[event->fault]);
  }
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  struct file *file = is_simulated() ? file_of(descriptor) : NULL;
  if (file != NULL) return write_to(file, descriptor, bytes, count, 0, true);
  if (is_simulated()) {
    trace(count, "write to %d", descriptor);
    trace_bytes(bytes, count);
    baton_offer();
  }
  return kernel_errno(SYS_write, descriptor, (long)bytes, (long)count, 0, 0, 0);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  struct file *file = is_simulated() ? file_of(descriptor) : NULL;
  if (file != NULL) return write_to(file, descriptor, bytes, count, offset, false);
  return kernel_errno(SYS_pwrite64, descriptor, (long)bytes, (long)count, offset, 0, 0);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

// MARK: Reading

/// 0 where the call goes on.
static int fails(struct file *file, const char *call) {
  int code = fault_of_call();
  trace((uint64_t)code, "%s %s", call, file->path);
  errno = code;
  return code;
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  struct file *file = is_simulated() ? file_of(descriptor) : NULL;
  if (file != NULL && fails(file, "read") != 0) return -1;
  if (file != NULL && count > 1 && fault_lasts(FAULT_SHORT)) count = 1 + random_below(count);
  return kernel_errno(SYS_pread64, descriptor, (long)bytes, (long)count, offset, 0, 0);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
  return pread(descriptor, bytes, count, offset);
}

// MARK: Names

static struct file *file_at(const char *path, bool is_new) {
  for (int i = 0; i < file_count; i++) {
    if (strcmp(files[i].path, path) == 0) return &files[i];
  }
  if (file_count == MOST_FILES) end_hung("too many files", "");
  struct file *file = &files[file_count++];
  *file = (struct file){.path = strdup(path), .is_new = is_new, .has_safe_name = !is_new};
  return file;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  long mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  const char *own = is_simulated() ? path_on_disk(path) : NULL;
  bool is_ours = own != NULL;
  bool is_new = is_ours && access(path, F_OK) != 0;
  if (is_ours && (flags & O_ACCMODE) != O_RDONLY) {
    int code = fault_of_call();
    if (code == 0 && is_new && fault_lasts(FAULT_FULL) && random_chance(500000)) code = ENOSPC;
    trace((uint64_t)code, "open %s", path);
    if (code != 0) {
      errno = code;
      return -1;
    }
  }
  int descriptor = (int)kernel_errno(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0);
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return descriptor;
  struct stat status;
  bool is_file = is_ours && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  opened[descriptor] = is_file ? file_at(own, is_new) : NULL;
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

int close(int descriptor) {
  if (is_simulated() && file_of(descriptor) != NULL) {
    baton_offer();
    trace((uint64_t)descriptor, "close %s", file_of(descriptor)->path);
    opened[descriptor] = NULL;
  }
  return (int)kernel_errno(SYS_close, descriptor, 0, 0, 0, 0, 0);
}

// MARK: Forcing onto the disk

int fdatasync(int descriptor) {
  struct file *file = is_simulated() ? file_of(descriptor) : NULL;
  // A disk that has only a made-up power cut needs no real one.
  if (file == NULL) return 0;
  if (fails(file, "sync") != 0) return -1;
  forget(file);
  return 0;
}

int fsync(int descriptor) {
  if (!is_simulated()) return 0;
  if (file_of(descriptor) != NULL) return fdatasync(descriptor);
  trace((uint64_t)descriptor, "sync names");
  for (int i = 0; i < file_count; i++) files[i].has_safe_name = true;
  return 0;
}

int ftruncate(int descriptor, off_t size) {
  struct file *file = is_simulated() ? file_of(descriptor) : NULL;
  if (file != NULL && fails(file, "truncate") != 0) return -1;
  return (int)kernel_errno(SYS_ftruncate, descriptor, size, 0, 0, 0, 0);
}

int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

// MARK: The power cut

/// Takes all changes back, newest first, then makes some again: of each page the first few, for the system
/// writes whole pages, each at a time of its own.
static void cut(struct file *file) {
  file->forced = INT64_MAX;
  long descriptor = kernel(SYS_openat, AT_FDCWD, (long)file->path, O_RDWR, 0, 0, 0);
  if (descriptor < 0) return;
  int64_t largest = 0;
  for (size_t i = file->change_count; i-- > 0;) {
    const struct change *change = &file->changes[i];
    kernel(SYS_pwrite64, descriptor, (long)change->old_bytes, change->old_count, change->offset, 0,
           0);
    kernel(SYS_ftruncate, descriptor, change->old_size, 0, 0, 0, 0);
    if (change->offset < file->forced) file->forced = change->offset;
    if (change->offset + change->count > largest) largest = change->offset + change->count;
  }
  for (int64_t page = 0; page < largest; page += PAGE) {
    uint64_t kept = random_chance(300000) ? file->change_count
                                          : random_below(file->change_count + 1);
    for (size_t i = 0; i < kept; i++) {
      const struct change *change = &file->changes[i];
      int64_t begin = change->offset > page ? change->offset : page;
      int64_t end = change->offset + change->count;
      if (end > page + PAGE) end = page + PAGE;
      if (begin >= end) continue;
      kernel(SYS_pwrite64, descriptor, (long)(change->bytes + (begin - change->offset)),
             end - begin, begin, 0, 0);
    }
  }
  kernel(SYS_close, descriptor, 0, 0, 0, 0, 0);
}

bool disk_forced(int index, const char **path, int64_t *size) {
  if (index >= file_count) return false;
  *path = files[index].path;
  *size = files[index].forced;
  return true;
}

void disk_cut_power(void) {
  fault_counts[FAULT_POWER]++;
  for (int i = 0; i < file_count; i++) {
    files[i].forced = -1;
    if (files[i].change_count > 0) cut(&files[i]);
    if (!files[i].has_safe_name && random_chance(500000)) {
      kernel(SYS_unlinkat, AT_FDCWD, (long)files[i].path, 0, 0, 0, 0);
    }
  }
}
