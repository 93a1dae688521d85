// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting setting;
struct script script;
uint64_t fault_counts[FAULT_COUNT];

const char *const fault_names[FAULT_COUNT] = {
    [FAULT_LATE] = "late",
    [FAULT_STEP] = "step",
    [FAULT_SIGNAL] = "signal",
    [FAULT_FULL] = "full",
    [FAULT_EIO] = "eio",
    [FAULT_SHORT] = "short",
    [FAULT_EINTR] = "eintr",
    [FAULT_SLOW] = "slow",
    [FAULT_STUCK] = "stuck",
    [FAULT_SHORT_READ] = "short-read",
    [FAULT_READ_EINTR] = "read-eintr",
    [FAULT_READ_EAGAIN] = "read-eagain",
    [FAULT_STAMP] = "stamp",
    [FAULT_KILL] = "kill",
    [FAULT_POWER] = "power",
    [FAULT_OTHER] = "other",
};

static const int64_t millisecond = 1000000;

// Those that last.
static int64_t ends[FAULT_COUNT];
static int64_t mosts[FAULT_COUNT];

bool fault_lasts(enum fault fault) { return clock_monotonic() < ends[fault]; }
int64_t fault_end(enum fault fault) { return ends[fault]; }
int64_t fault_most(enum fault fault) { return mosts[fault]; }

void fault_begin(const struct event *event) {
  ends[event->fault] = clock_monotonic() + event->amount;
  mosts[event->fault] = event->most;
}

static _Noreturn void refuse(const char *word) {
  fprintf(stderr, "simulation: '%s' is not TIME:FAULT[:ARGUMENT…]\n", word);
  exit(98);
}

/// `MS:FAULT[:ARGUMENT[:ARGUMENT]]` since the program's start, `#WRITE:FAULT…` or `@NAME:FAULT…`.
static struct event parsed(const char *word, int64_t beginning) {
  struct event event = {.time = INT64_MAX};
  char name[24] = "", first[24] = "", second[24] = "";
  double at;
  bool is_operation = *word == '#', is_renaming = *word == '@';
  int fields = sscanf(word + (is_operation || is_renaming), "%lf:%23[^:]:%23[^:]:%23[^:]", &at, name, first, second);
  if (fields < 2) refuse(word);
  if (is_operation) event.operation = (uint64_t)at;
  else if (is_renaming) event.renaming = (uint64_t)at;
  else event.time = beginning + (int64_t)(at * (double)millisecond);
  int fault = 0;
  while (fault < FAULT_COUNT && strcmp(name, fault_names[fault]) != 0) fault++;
  if (fault == FAULT_COUNT) refuse(word);
  event.fault = (enum fault)fault;
  const char *amount = first;
  if (event.fault == FAULT_LATE) {
    memcpy(event.text, first, sizeof event.text);
    for (char *gap = event.text; (gap = strchr(gap, '_')) != NULL;) *gap = ' ';
    amount = second;
  }
  if (event.fault == FAULT_KILL) memcpy(event.text, first, sizeof event.text);
  event.amount = event.fault == FAULT_SIGNAL
                     ? atoi(amount) : (int64_t)(atof(amount) * (double)millisecond);
  event.most = (int64_t)(atof(second) * (double)millisecond);
  return event;
}

static void insert(struct event event) {
  struct event *grown = realloc(script.events, (script.count + 1) * sizeof *grown);
  if (grown == NULL) abort();
  script.events = grown;
  size_t place = script.count++;
  while (place > 0 && grown[place - 1].time > event.time) {
    grown[place] = grown[place - 1];
    place--;
  }
  grown[place] = event;
}

static double number(const char *name, double standard) {
  const char *text = getenv(name);
  return text != NULL ? atof(text) : standard;
}

void script_read(void) {
  const char *seed = getenv("SIMULATION_SEED");
  setting.seed = seed != NULL ? strtoull(seed, NULL, 10) : 0;
  setting.folder = getenv("SIMULATION_FOLDER");
  setting.report = getenv("SIMULATION_REPORT");
  setting.trace = getenv("SIMULATION_TRACE");
  setting.switching = (uint64_t)number("SIMULATION_SWITCHING", 100000);
  setting.preemption = (uint64_t)number("SIMULATION_PREEMPTION", 100);
  setting.latency = (int64_t)(number("SIMULATION_LATENCY", 0.1) * (double)millisecond);
  setting.has_names = number("SIMULATION_NAMES", 0) != 0;
  setting.is_synchronized = number("SIMULATION_SYNCHRONIZED", 0) != 0;
  setting.other = getenv("SIMULATION_OTHER");
  const char *beginning = getenv("SIMULATION_BEGINNING");
  if (beginning != NULL) clock_set_day(strtoll(beginning, NULL, 10) * 1000000000);
  setting.limit = clock_monotonic() + (int64_t)(number("SIMULATION_LIMIT", 1e9) * 1e9);
  const char *text = getenv("SIMULATION_FAULTS");
  if (text == NULL) return;
  char *copy = strdup(text), *rest = NULL;
  if (copy == NULL) abort();
  for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    insert(parsed(word, clock_monotonic()));
  }
  free(copy);
}
