// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t operation_count;
uint64_t switch_count;

// FNV-1a over words (Fowler, Noll and Vo).
static uint64_t hash = 0xCBF29CE484222325;
static int trace_file = -1;

static void mix(uint64_t word) { hash = (hash ^ word) * 0x100000001B3; }

long kernel_errno(long number, long a, long b, long c, long d, long e, long f) {
  long result = kernel(number, a, b, c, d, e, f);
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

static int opened(const char *path) {
  return (int)kernel(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                     0644, 0, 0);
}

void trace(uint64_t number, const char *format, ...) {
  mix((uint64_t)clock_monotonic());
  mix(number);
  for (const char *character = format; *character != '\0'; character++) {
    mix((unsigned char)*character);
  }
  if (setting.trace == NULL) return;
  if (trace_file < 0) trace_file = opened(setting.trace);
  char line[512];
  int length = snprintf(line, sizeof line, "%.9f %s ", (double)clock_monotonic() / 1e9 - 1000,
                        baton_thread_name());
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
  va_end(arguments);
  length += snprintf(line + length, sizeof line - (size_t)length, " = %" PRId64 "\n",
                     (int64_t)number);
  kernel(SYS_write, trace_file, (long)line, length, 0, 0, 0);
}

void trace_bytes(const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  uint64_t word = 0;
  for (size_t i = 0; i < count; i++) {
    word = word << 8 | byte[i];
    if (i % 8 == 7) mix(word);
  }
  mix(word);
}

// MARK: What the program was given

/// Samples in a row, by their numbers on the device.
struct run {
  uint64_t first;
  uint64_t count;
  int64_t time;
};

/// How much had been given at a time.
struct mark {
  int64_t time;
  uint64_t given;
};

enum { MOST_DEVICES = 4, MARKS = 256 };
static struct device {
  const void *handle;
  unsigned bits;
  struct run *runs;
  size_t run_count;
  uint64_t given;
  // Behind the highest number so far.
  uint64_t end;
  struct mark marks[MARKS];
  size_t mark_count;
} devices[MOST_DEVICES];
static int device_count;

void report_read(const void *handle, uint64_t number, uint64_t count, unsigned bits) {
  struct device *device = NULL;
  for (int i = 0; i < device_count; i++) {
    if (devices[i].handle == handle) device = &devices[i];
  }
  if (device == NULL) {
    if (device_count == MOST_DEVICES) return;
    device = &devices[device_count++];
    device->handle = handle;
    device->bits = bits;
  }
  uint64_t mask = bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;
  struct run *last = device->run_count > 0 ? &device->runs[device->run_count - 1] : NULL;
  if (last != NULL && ((last->first + last->count) & mask) == (number & mask)) {
    last->count += count;
  } else {
    struct run *grown = realloc(device->runs, (device->run_count + 1) * sizeof *grown);
    if (grown == NULL) abort();
    device->runs = grown;
    device->runs[device->run_count++] = (struct run){number, count, clock_monotonic()};
  }
  // A ring that runs over while it is read gives samples twice.
  bool is_cut = bits < 24, is_new = number + count > device->end;
  uint64_t from = is_cut || number > device->end ? number : device->end;
  if (is_cut || is_new) device->given += number + count - from;
  if (is_new) device->end = number + count;
  const struct mark *mark =
      device->mark_count > 0 ? &device->marks[(device->mark_count - 1) % MARKS] : NULL;
  if (mark == NULL || clock_monotonic() - mark->time >= 10000000) {
    device->marks[device->mark_count++ % MARKS] =
        (struct mark){clock_monotonic(), device->given};
  } else {
    device->marks[(device->mark_count - 1) % MARKS].given = device->given;
  }
}

// MARK: The report

static char *text;
static size_t text_length, text_capacity;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  if (text_capacity - text_length < 1024) {
    text_capacity = text_capacity * 2 + 65536;
    text = realloc(text, text_capacity);
    if (text == NULL) abort();
  }
  va_list arguments;
  va_start(arguments, format);
  text_length +=
      (size_t)vsnprintf(text + text_length, text_capacity - text_length, format, arguments);
  va_end(arguments);
}

static void say_device(const struct device *device) {
  say("{\"bits\":%u,\"given\":%" PRIu64 ",\"runs\":[", device->bits, device->given);
  for (size_t i = 0; i < device->run_count; i++) {
    const struct run *run = &device->runs[i];
    say("%s[%" PRIu64 ",%" PRIu64 ",%" PRId64 "]", i > 0 ? "," : "", run->first, run->count,
        run->time);
  }
  say("],\"marks\":[");
  size_t first = device->mark_count > MARKS ? device->mark_count - MARKS : 0;
  for (size_t i = first; i < device->mark_count; i++) {
    const struct mark *mark = &device->marks[i % MARKS];
    say("%s[%" PRId64 ",%" PRIu64 "]", i > first ? "," : "", mark->time, mark->given);
  }
  say("]}");
}

void report_write(const char *ending, const char *detail) {
  static bool is_written;
  if (setting.report == NULL || is_written) return;
  is_written = true;
  say("{\"ending\":\"%s\",\"detail\":\"%s\",\"seed\":%" PRIu64 ",\"hash\":\"%016" PRIx64
      "\",\"time\":%" PRId64 ",\"switches\":%" PRIu64 ",\"operations\":%" PRIu64 ",\"faults\":{",
      ending, detail, setting.seed, hash, clock_monotonic(), switch_count, operation_count);
  for (int i = 0; i < FAULT_COUNT; i++) {
    say("%s\"%s\":%" PRIu64, i > 0 ? "," : "", fault_names[i], fault_counts[i]);
  }
  say("},\"devices\":[");
  for (int i = 0; i < device_count; i++) {
    if (i > 0) say(",");
    say_device(&devices[i]);
  }
  say("]");
  if (fault_counts[FAULT_POWER] > 0) {
    const char *path;
    int64_t size;
    say(",\"forced\":[");
    for (int i = 0; disk_forced(i, &path, &size); i++) {
      say("%s[\"%s\",%" PRId64 "]", i > 0 ? "," : "", path, size);
    }
    say("]");
  }
  say("}\n");
  int file = opened(setting.report);
  for (size_t written = 0; written < text_length;) {
    long count = kernel(SYS_write, file, (long)(text + written), (long)(text_length - written), 0,
                        0, 0);
    if (count <= 0) break;
    written += (size_t)count;
  }
}

_Noreturn void end_killed(const char *ending) {
  trace(0, "%s", ending);
  report_write(ending, "");
  kernel(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
  while (true) kernel(SYS_exit_group, 137, 0, 0, 0, 0, 0);
}

_Noreturn void end_hung(const char *ending, const char *detail) {
  report_write(ending, detail);
  while (true) kernel(SYS_exit_group, 99, 0, 0, 0, 0, 0);
}

__attribute__((destructor)) static void finish(void) { report_write("exit", ""); }
