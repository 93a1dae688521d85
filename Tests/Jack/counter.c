// SPDX-License-Identifier: Apache-2.0
/// Clients of a JACK server whose samples say in which frame they were made, so that a loss shows itself.
///
///     counter give NAME PORTS          gives the count on PORTS ports until a signal
///     counter count NAME PORTS         gives the count of the samples given so far instead of the frame
///     counter take NAME PORTS FILE     writes the samples of every cycle to FILE at a signal
///     counter freewheel on|off         tells the server
///     counter period COUNT             tells the server
///     counter connect FROM TO          connects two ports
///     counter disconnect FROM TO
///     counter wait PORT                waits until there is such a port
///
/// The sample of frame F on port P (from 0) is ((F + 1000003 P) mod (2^23 - 1) + 1) / 2^23, which a float holds exactly and
/// which is no silence. FILE has
/// for each cycle the frame time and the count as 32-bit numbers, then the samples of each port.
#include <jack/jack.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCALE = 1 << 23, MODULUS = SCALE - 1, PORT_STEP = 1000003, MOST_PORTS = 64 };
/// Bytes of all cycles that `take` keeps.
static const size_t room = 256u << 20;

static jack_client_t *client;
static jack_port_t *ports[MOST_PORTS];
static int port_count;
static char *kept;
static atomic_size_t kept_size;
static uint32_t given = 1;
static int counts_own;
static volatile sig_atomic_t is_over;

static int give(jack_nframes_t count, void *context) {
  (void)context;
  const uint32_t frame = counts_own ? given : jack_last_frame_time(client);
  given += count;
  for (int port = 0; port < port_count; port++) {
    float *const samples = jack_port_get_buffer(ports[port], count);
    for (uint32_t index = 0; index < count; index++)
      samples[index] = (float)((frame + index + (uint32_t)port * PORT_STEP) % MODULUS + 1) / SCALE;
  }
  return 0;
}

static int take(jack_nframes_t count, void *context) {
  (void)context;
  const size_t bytes = count * sizeof(float);
  size_t place = atomic_load(&kept_size);
  if (place + 8 + (size_t)port_count * bytes > room) return 0;
  const uint32_t head[2] = {jack_last_frame_time(client), count};
  memcpy(kept + place, head, sizeof head);
  place += sizeof head;
  for (int port = 0; port < port_count; port++) {
    memcpy(kept + place, jack_port_get_buffer(ports[port], count), bytes);
    place += bytes;
  }
  atomic_store(&kept_size, place);
  return 0;
}

static void end(int signal) {
  (void)signal;
  is_over = 1;
}

static void leave(void *context) {
  (void)context;
  _exit(0);
}

static void fail(const char *reason) {
  fprintf(stderr, "counter: %s\n", reason);
  exit(1);
}

static int run(const char *name, int count, int is_giver, const char *path) {
  port_count = count;
  if (count < 1 || count > MOST_PORTS) fail("too many ports");
  for (int port = 0; port < count; port++) {
    char text[32];
    snprintf(text, sizeof text, "%s_%d", is_giver ? "out" : "in", port + 1);
    ports[port] =
        jack_port_register(client, text, JACK_DEFAULT_AUDIO_TYPE, is_giver ? JackPortIsOutput : JackPortIsInput, 0);
    if (ports[port] == NULL) fail("no port");
  }
  if (!is_giver && (kept = calloc(1, room)) == NULL) fail("no memory");
  jack_set_process_callback(client, is_giver ? give : take, NULL);
  jack_on_shutdown(client, leave, NULL);
  signal(SIGTERM, end);
  signal(SIGINT, end);
  if (jack_activate(client) != 0) fail("not activated");
  printf("%s\n", name);
  fflush(stdout);
  while (!is_over) usleep(10000);
  jack_deactivate(client);
  if (!is_giver) {
    FILE *const file = fopen(path, "wb");
    if (file == NULL || fwrite(kept, 1, kept_size, file) != kept_size || fclose(file) != 0) fail("not written");
  }
  jack_client_close(client);
  return 0;
}

int main(int count, char **words) {
  if (count < 3) fail("give NAME PORTS | take NAME PORTS FILE | freewheel on|off | period COUNT | [dis]connect A B | wait PORT");
  const char *const verb = words[1];
  counts_own = strcmp(verb, "count") == 0;
  const int gives = counts_own || strcmp(verb, "give") == 0;
  const int runs = gives || strcmp(verb, "take") == 0;
  jack_status_t status;
  client = jack_client_open(runs ? words[2] : "counter-tool", JackNoStartServer, &status);
  if (client == NULL) fail("no server");
  int code = 0;
  if (runs && count > 3) return run(words[2], atoi(words[3]), gives, count > 4 ? words[4] : "");
  if (strcmp(verb, "freewheel") == 0) code = jack_set_freewheel(client, strcmp(words[2], "on") == 0);
  if (strcmp(verb, "period") == 0) code = jack_set_buffer_size(client, (jack_nframes_t)atoi(words[2]));
  if (strcmp(verb, "connect") == 0 && count > 3) code = jack_connect(client, words[2], words[3]);
  if (strcmp(verb, "disconnect") == 0 && count > 3) code = jack_disconnect(client, words[2], words[3]);
  if (strcmp(verb, "wait") == 0)
    for (int turn = 0; turn < 1000 && jack_port_by_name(client, words[2]) == NULL; turn++) usleep(10000);
  jack_client_close(client);
  return code == 0 ? 0 : 1;
}
