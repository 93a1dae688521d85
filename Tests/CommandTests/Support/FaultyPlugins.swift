// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Faulty plug-ins and some correct ones, compiled once for all tests.
enum FaultyPlugins {
  /// A LADSPA library `faulty` with a plug-in for each label of ``ladspa``, and an LV2 bundle.
  static let directory: Result<TemporaryDirectory, any Error> = Result {
    let directory = TemporaryDirectory()
    // A static value is never released.
    atexit {
      guard let directory = try? FaultyPlugins.directory.get() else { return }
      try? FileManager.default.removeItem(at: directory.url)
    }
    let bundle = directory.file("test.lv2")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try directory.write(Array(ladspa.utf8), "faulty.c")
    try directory.write(Array(lv2.utf8), "lv2.c")
    try directory.write(Array(manifest.utf8), "test.lv2/manifest.ttl")
    for (source, library) in [("faulty.c", "faulty.so"), ("lv2.c", "test.lv2/test.so")] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o",
        directory.file(library).path, directory.file(source).path,
      ]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
    return directory
  }

  /// The environment in which both interfaces find the plug-ins.
  static func environment() throws -> [String: String] {
    let folder = try directory.get().url.path
    return ["LADSPA_PATH": folder, "LV2_PATH": folder, "XDG_CACHE_HOME": "/dev/null"]
  }

  /// 1 → 1 except `swap` (2 → 2); `amount` from 0 to 10 is a factor. Faults begin at sample 5000.
  private static let ladspa = #"""
    #include <ladspa.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    enum kind { GAIN, LATE, LIAR, CHANGING, CRASH, REFUSE, UNBORN, HANG, PRINT, EXIT, NONE, HUNGRY, FORK, SWAP, KINDS };
    static const char *const labels[KINDS] = {
      "gain", "late", "liar", "changing", "crash", "refuse", "unborn", "hang", "print", "exit", "none", "hungry",
      "fork", "swap"};
    enum { IN, OUT, AMOUNT, LATENCY, IN2, OUT2, PORTS };
    typedef struct { enum kind kind; LADSPA_Data *ports[PORTS]; float line[1024]; unsigned long place; } plugin;

    static LADSPA_Handle make(const LADSPA_Descriptor *descriptor, unsigned long rate) {
      (void)rate;
      const enum kind kind = (enum kind)(descriptor->UniqueID - 1);
      if (kind == REFUSE) return NULL;
      if (kind == UNBORN) raise(SIGSEGV);
      plugin *p = calloc(1, sizeof *p);
      p->kind = kind;
      if (kind == FORK && fork() == 0) { sleep(1000); _exit(0); }
      return p;
    }

    static void connect(LADSPA_Handle handle, unsigned long port, LADSPA_Data *data) {
      ((plugin *)handle)->ports[port] = data;
    }

    static int delay(const plugin *p) {
      if (p->kind == CHANGING) return p->place < 10240 ? 100 : 300;
      return p->kind == LATE || p->kind == LIAR ? 100 : 0;
    }

    static void run(LADSPA_Handle handle, unsigned long count) {
      plugin *p = handle;
      for (unsigned long i = 0; i < count; i++, p->place++) {
        const float in = p->ports[IN][i];
        const unsigned long late = (unsigned long)delay(p);
        p->line[p->place % 1024] = in;
        float out = p->place >= late ? p->line[(p->place - late) % 1024] * *p->ports[AMOUNT] : 0;
        if (p->place == 5000 && p->kind == CRASH) raise(SIGSEGV);
        if (p->place == 5000 && p->kind == HANG) for (;;) pause();
        if (p->place == 5000 && p->kind == EXIT) exit(0);
        if (p->place == 5000 && p->kind == HUNGRY) for (;;) {
          volatile char *memory = malloc(1 << 28);
          memory[0] = 1;
        }
        if (p->place >= 5000 && p->place < 5100 && p->kind == NONE) out = 0.0f / 0.0f;
        p->ports[OUT][i] = out;
        if (p->kind == SWAP) { p->ports[OUT][i] = p->ports[IN2][i]; p->ports[OUT2][i] = in; }
      }
      *p->ports[LATENCY] = p->kind == LIAR ? 50 : (float)(p->kind == CHANGING && p->place == 10240 ? 100 : delay(p));
      if (p->kind == PRINT) { printf("hello\n"); fflush(stdout); fprintf(stderr, "world\n"); }
    }

    const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
      static LADSPA_Descriptor all[KINDS];
      static const LADSPA_PortDescriptor kinds[PORTS] = {
        LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO, LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO,
        LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL, LADSPA_PORT_OUTPUT | LADSPA_PORT_CONTROL,
        LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO, LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO};
      static const char *const names[PORTS] = {"in", "out", "Amount (x)", "latency", "in 2", "out 2"};
      static const LADSPA_PortRangeHint hints[PORTS] = {
        {0, 0, 0}, {0, 0, 0},
        {LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_1, 0, 10}};
      if (index >= KINDS) return NULL;
      LADSPA_Descriptor *d = &all[index];
      d->UniqueID = index + 1;
      d->Label = d->Name = labels[index];
      d->Maker = d->Copyright = "none";
      d->PortCount = index == SWAP ? PORTS : 4;
      d->PortDescriptors = kinds;
      d->PortNames = names;
      d->PortRangeHints = hints;
      d->instantiate = make;
      d->connect_port = connect;
      d->run = run;
      return d;
    }
    """#

  /// A gain that is silent if one of its features violates the specification, or if its worker does not answer.
  private static let lv2 = #"""
    #include <lv2/atom/atom.h>
    #include <lv2/buf-size/buf-size.h>
    #include <lv2/core/lv2.h>
    #include <lv2/log/log.h>
    #include <lv2/options/options.h>
    #include <lv2/parameters/parameters.h>
    #include <lv2/urid/urid.h>
    #include <lv2/worker/worker.h>
    #include <stdlib.h>
    #include <string.h>

    typedef struct {
      const float *in, *gain, *voltage;
      float *out;
      const LV2_Atom_Sequence *events;
      LV2_Atom_Sequence *notes;
      LV2_Worker_Schedule *worker;
      LV2_URID sequence, chunk;
      int is_right, answers, runs, longest;
    } plugin;

    static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *path, const LV2_Feature *const *features) {
      plugin *p = calloc(1, sizeof *p);
      const LV2_URID_Map *map = NULL;
      const LV2_URID_Unmap *unmap = NULL;
      const LV2_Options_Option *options = NULL;
      LV2_Log_Log *log = NULL;
      int found = 0;
      for (; *features; features++) {
        if (!strcmp((*features)->URI, LV2_URID__map)) map = (*features)->data;
        if (!strcmp((*features)->URI, LV2_URID__unmap)) unmap = (*features)->data;
        if (!strcmp((*features)->URI, LV2_OPTIONS__options)) options = (*features)->data;
        if (!strcmp((*features)->URI, LV2_WORKER__schedule)) p->worker = (*features)->data;
        if (!strcmp((*features)->URI, LV2_LOG__log)) log = (*features)->data;
      }
      if (!map || !unmap || !options || !p->worker || !log) return NULL;
      if (rate == 8000) {
        log->printf(log->handle, map->map(map->handle, LV2_LOG__Error), "%g Hz are too few", rate);
        return NULL;
      }
      for (; options->key; options++) {
        if (options->key == map->map(map->handle, LV2_BUF_SIZE__maxBlockLength)) {
          p->longest = *(const int *)options->value;
          found++;
        }
        if (options->key == map->map(map->handle, LV2_PARAMETERS__sampleRate))
          found += *(const float *)options->value == (float)rate;
      }
      p->sequence = map->map(map->handle, LV2_ATOM__Sequence);
      p->chunk = map->map(map->handle, LV2_ATOM__Chunk);
      p->is_right = found == 2 && !strcmp(unmap->unmap(unmap->handle, p->chunk), LV2_ATOM__Chunk);
      return p;
    }

    static void connect(LV2_Handle handle, uint32_t port, void *data) {
      plugin *p = handle;
      void **places[] = {(void **)&p->in, (void **)&p->out, (void **)&p->gain, (void **)&p->events, (void **)&p->notes,
        (void **)&p->voltage};
      *places[port] = data;
    }

    static void run(LV2_Handle handle, uint32_t count) {
      plugin *p = handle;
      if (p->runs == 0) p->worker->schedule_work(p->worker->handle, 4, "ping");
      p->runs++;
      const int is_right = p->is_right && (int)count == p->longest && p->answers == (p->runs > 1)
        && p->events->atom.type == p->sequence && p->events->atom.size == sizeof(LV2_Atom_Sequence_Body)
        && p->notes->atom.type == p->chunk && p->notes->atom.size >= 1000 && p->voltage[count - 1] == 0.25f;
      for (uint32_t i = 0; i < count; i++) p->out[i] = is_right ? p->in[i] * *p->gain : 0;
    }

    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle handle,
                                  uint32_t size, const void *data) {
      return size == 4 && !memcmp(data, "ping", 4) ? respond(handle, 5, "pong!") : LV2_WORKER_ERR_UNKNOWN;
    }

    static LV2_Worker_Status response(LV2_Handle handle, uint32_t size, const void *data) {
      if (size == 5 && !memcmp(data, "pong!", 5)) ((plugin *)handle)->answers++;
      return LV2_WORKER_SUCCESS;
    }

    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, NULL};
      return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
    }

    static void end(LV2_Handle handle) { free(handle); }

    LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
      static const LV2_Descriptor all[] = {
        {"urn:rawaudio:test:gain", make, connect, NULL, run, NULL, end, extension},
        {"urn:rawaudio:test:strange", make, connect, NULL, run, NULL, end, extension}};
      return index < 2 ? &all[index] : NULL;
    }
    """#

  private static let manifest = #"""
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix units: <http://lv2plug.in/ns/extensions/units#> .
    @prefix worker: <http://lv2plug.in/ns/ext/worker#> .

    <urn:rawaudio:test:gain> a lv2:Plugin, lv2:AmplifierPlugin ; lv2:binary <test.so> ; doap:name "Test Gain" ;
      lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map>, worker:schedule ;
      lv2:extensionData worker:interface ;
      lv2:port
        [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ],
        [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ],
        [ a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "gain" ; lv2:name "Gain" ;
          lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 4.0 ; units:unit units:coef ;
          lv2:scalePoint [ rdfs:label "half" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 0.5 ] ],
        [ a lv2:InputPort, atom:AtomPort ; atom:bufferType atom:Sequence ; lv2:index 3 ; lv2:symbol "events" ;
          lv2:name "Events" ],
        [ a lv2:OutputPort, atom:AtomPort ; atom:bufferType atom:Sequence ; lv2:index 4 ; lv2:symbol "notes" ;
          lv2:name "Notes" ],
        [ a lv2:InputPort, lv2:CVPort ; lv2:index 5 ; lv2:symbol "voltage" ; lv2:name "Voltage" ;
          lv2:default 0.25 ] .

    <urn:rawaudio:test:double> a pset:Preset ; lv2:appliesTo <urn:rawaudio:test:gain> ; rdfs:label "Double" ;
      lv2:port [ lv2:symbol "gain" ; pset:value 2.0 ] .

    <urn:rawaudio:test:strange> a lv2:Plugin ; lv2:binary <test.so> ; doap:name "Strange" ;
      lv2:requiredFeature <urn:rawaudio:test:no-such-feature> ;
      lv2:port
        [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ],
        [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
    """#
}
