// SPDX-License-Identifier: Apache-2.0
#include "virtual_card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct card_settings default_settings = {
    .speed = 1,
    .grain = 1,
    .formats = {.values = {SND_PCM_FORMAT_S16_LE}, .count = 1},
    .rates = {.values = {44100}, .count = 1},
    .channels = {.values = {2}, .count = 1},
    .minimum_period_bytes = 64,
    .maximum_period_bytes = 65536,
    .maximum_buffer_bytes = 1 << 20,
};

// Every value may be a string as well, because that is what alsa-lib's getenv function yields.

static int read_path(snd_config_t *node, char **path) {
  const char *text;
  if (snd_config_get_string(node, &text) < 0) return -EINVAL;
  free(*path);
  *path = *text != '\0' ? strdup(text) : NULL;
  return *text != '\0' && *path == NULL ? -ENOMEM : 0;
}

static int read_real(snd_config_t *node, double *value) {
  if (snd_config_get_ireal(node, value) == 0) return 0;
  const char *text;
  if (snd_config_get_string(node, &text) < 0) return -EINVAL;
  char *end;
  *value = strtod(text, &end);
  return end != text && *end == '\0' ? 0 : -EINVAL;
}

static int read_unsigned(snd_config_t *node, unsigned *value) {
  double real;
  if (read_real(node, &real) < 0 || real < 0 || real > UINT32_MAX) return -EINVAL;
  *value = (unsigned)real;
  return *value == real ? 0 : -EINVAL;
}

static int read_flag(snd_config_t *node, bool *value) {
  int flag = snd_config_get_bool(node);
  *value = flag > 0;
  return flag < 0 ? -EINVAL : 0;
}

static int read_errno(snd_config_t *node, int *value) {
  unsigned number;
  if (read_unsigned(node, &number) < 0 || number > 4095) return -EINVAL;
  *value = (int)number;
  return 0;
}

static int read_end_of_input(snd_config_t *node, enum end_of_input *value) {
  static const char *const names[] = {
      [END_SILENCE] = "silence", [END_LOOP] = "loop", [END_NODEV] = "nodev", [END_STALL] = "stall"};
  const char *text;
  if (snd_config_get_string(node, &text) < 0) return -EINVAL;
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *value = (enum end_of_input)i;
    return 0;
  }
  return -EINVAL;
}

static int list_append(struct value_list *list, const char *word, bool is_format) {
  if (list->count == sizeof list->values / sizeof list->values[0]) return -E2BIG;
  char *end = "";
  long value = is_format ? snd_pcm_format_value(word) : strtol(word, &end, 10);
  if (value < 0 || *end != '\0') return -EINVAL;
  list->values[list->count++] = (unsigned)value;
  return 0;
}

static int list_append_words(struct value_list *list, const char *text, bool is_format) {
  char *copy = strdup(text);
  if (copy == NULL) return -ENOMEM;
  int status = 0;
  char *rest = NULL;
  for (char *word = strtok_r(copy, " ,", &rest); word != NULL && status == 0;
       word = strtok_r(NULL, " ,", &rest)) {
    status = list_append(list, word, is_format);
  }
  free(copy);
  return status;
}

/// Reads `44100`, `"44100 48000"` or `[ 44100 48000 ]`.
static int read_list(snd_config_t *node, struct value_list *list, bool is_format) {
  list->count = 0;
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) {
    char *text;
    if (snd_config_get_ascii(node, &text) < 0) return -EINVAL;
    int status = list_append_words(list, text, is_format);
    free(text);
    return status;
  }
  snd_config_iterator_t i, following;
  snd_config_for_each(i, following, node) {
    char *word;
    if (snd_config_get_ascii(snd_config_iterator_entry(i), &word) < 0) return -EINVAL;
    int status = list_append(list, word, is_format);
    free(word);
    if (status < 0) return status;
  }
  return 0;
}

static int read_field(struct card_settings *settings, const char *name, snd_config_t *node) {
  if (strcmp(name, "infile") == 0) return read_path(node, &settings->input_path);
  if (strcmp(name, "outfile") == 0) return read_path(node, &settings->output_path);
  if (strcmp(name, "log") == 0) return read_path(node, &settings->log_path);
  if (strcmp(name, "present") == 0) return read_path(node, &settings->present_path);
  if (strcmp(name, "plugin_name") == 0) return read_path(node, &settings->plugin_name);
  if (strcmp(name, "events") == 0) return read_path(node, &settings->events);
  if (strcmp(name, "at_eof") == 0) return read_end_of_input(node, &settings->at_end_of_input);
  if (strcmp(name, "speed") == 0) return read_real(node, &settings->speed);
  if (strcmp(name, "grain") == 0) return read_unsigned(node, &settings->grain);
  if (strcmp(name, "open_errno") == 0) return read_errno(node, &settings->open_errno);
  if (strcmp(name, "hw_errno") == 0) return read_errno(node, &settings->hw_errno);
  if (strcmp(name, "prepare_errno") == 0) return read_errno(node, &settings->prepare_errno);
  if (strcmp(name, "start_errno") == 0) return read_errno(node, &settings->start_errno);
  if (strcmp(name, "formats") == 0) return read_list(node, &settings->formats, true);
  if (strcmp(name, "rates") == 0) return read_list(node, &settings->rates, false);
  if (strcmp(name, "channels") == 0) return read_list(node, &settings->channels, false);
  if (strcmp(name, "period_bytes_min") == 0) {
    return read_unsigned(node, &settings->minimum_period_bytes);
  }
  if (strcmp(name, "period_bytes_max") == 0) {
    return read_unsigned(node, &settings->maximum_period_bytes);
  }
  if (strcmp(name, "period_bytes_step") == 0) {
    return read_unsigned(node, &settings->period_bytes_step);
  }
  if (strcmp(name, "buffer_bytes_max") == 0) {
    return read_unsigned(node, &settings->maximum_buffer_bytes);
  }
  if (strcmp(name, "keep_position") == 0) return read_flag(node, &settings->keeps_position);
  if (strcmp(name, "stop_at_overrun") == 0) return read_flag(node, &settings->stops_at_overrun);
  if (strcmp(name, "cannot_pause") == 0) return read_flag(node, &settings->cannot_pause);
  if (strcmp(name, "channel_map") == 0) return read_path(node, &settings->channel_map);
  return -ENOENT;
}

static bool is_of_alsa(const char *name) {
  return strcmp(name, "comment") == 0 || strcmp(name, "type") == 0 || strcmp(name, "hint") == 0;
}

int settings_read(struct card_settings *settings, snd_config_t *configuration) {
  *settings = default_settings;
  snd_config_iterator_t i, following;
  snd_config_for_each(i, following, configuration) {
    snd_config_t *node = snd_config_iterator_entry(i);
    const char *name;
    if (snd_config_get_id(node, &name) < 0 || is_of_alsa(name)) continue;
    int status = read_field(settings, name, node);
    if (status < 0) {
      SNDERR("virtual card: %s '%s'",
             status == -ENOENT ? "there is no setting" : "bad value of setting", name);
      return -EINVAL;
    }
  }
  if (settings->grain == 0) settings->grain = 1;
  return 0;
}

void settings_release(struct card_settings *settings) {
  free(settings->input_path);
  free(settings->output_path);
  free(settings->log_path);
  free(settings->present_path);
  free(settings->plugin_name);
  free(settings->events);
  free(settings->channel_map);
}
