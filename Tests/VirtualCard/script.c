// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const fault_names[FAULT_COUNT] = {
    [FAULT_XRUN] = "xrun",       [FAULT_STALL] = "stall", [FAULT_NODEV] = "nodev",
    [FAULT_SUSPEND] = "suspend", [FAULT_EIO] = "eio",     [FAULT_SIGNAL] = "signal",
    [FAULT_TOUCH] = "touch",     [FAULT_LATE] = "late",
};

const char *fault_name(enum fault fault) { return fault_names[fault]; }

static int fault_from_name(const char *name) {
  for (int fault = 0; fault < FAULT_COUNT; fault++) {
    if (strcmp(name, fault_names[fault]) == 0) return fault;
  }
  return -EINVAL;
}

static int event_parse(struct script_event *event, const char *text) {
  char name[32] = "";
  event->argument[0] = '\0';
  event->is_relative = *text == '+';
  if (event->is_relative) text++;
  int fields = sscanf(text, "%" SCNu64 ":%31[^:]:%255s", &event->position, name, event->argument);
  int fault = fields >= 2 ? fault_from_name(name) : -EINVAL;
  if (fault < 0) {
    SNDERR("virtual card: '%s' is not POSITION:FAULT[:ARGUMENT]", text);
    return -EINVAL;
  }
  event->fault = (enum fault)fault;
  return 0;
}

/// Inserts behind all events of the same position, so that equal positions keep their order; a relative
/// event stays behind the one that it follows.
static int script_insert(struct script *script, const struct script_event *event) {
  struct script_event *grown =
      realloc(script->events, (script->count + 1) * sizeof *script->events);
  if (grown == NULL) return -ENOMEM;
  script->events = grown;
  size_t place = script->count++;
  while (!event->is_relative && place > 0 && !grown[place - 1].is_relative &&
         grown[place - 1].position > event->position) {
    grown[place] = grown[place - 1];
    place--;
  }
  grown[place] = *event;
  return 0;
}

int script_parse(struct script *script, const char *text) {
  if (text == NULL) return 0;
  char *copy = strdup(text);
  if (copy == NULL) return -ENOMEM;
  int status = 0;
  char *rest = NULL;
  for (char *word = strtok_r(copy, " ,\n", &rest); word != NULL && status == 0;
       word = strtok_r(NULL, " ,\n", &rest)) {
    struct script_event event;
    status = event_parse(&event, word);
    if (status == 0) status = script_insert(script, &event);
  }
  free(copy);
  return status;
}

const struct script_event *script_peek(const struct script *script) {
  if (script->next == script->count || script->events[script->next].is_relative) return NULL;
  return &script->events[script->next];
}

void script_arm(struct script *script, uint64_t position) {
  if (script->next == script->count || !script->events[script->next].is_relative) return;
  script->events[script->next].is_relative = false;
  script->events[script->next].position += position;
}

void script_release(struct script *script) {
  free(script->events);
  script->events = NULL;
  script->count = script->next = 0;
}
