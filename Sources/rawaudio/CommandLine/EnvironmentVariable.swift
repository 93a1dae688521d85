// SPDX-License-Identifier: Apache-2.0
/// A variable that the program reads from its environment, for man pages.
struct EnvironmentVariable: Sendable {
  /// One name, or several separated by commas.
  var name: String
  var effect: String
  /// The option concerned. Nil for every command.
  var option: String?

  func applies(to declarations: [Declaration]) -> Bool {
    option == nil || declarations.contains { !$0.isArgument && $0.name == option }
  }

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS", effect: "The width of help pages; without it, the terminal's."),
    EnvironmentVariable(
      name: "COLUMNS, LINES",
      effect: "The size of a picture of --terminal if no terminal tells its own.",
      option: "terminal"),
    EnvironmentVariable(
      name: "NO_COLOR", effect: "If it is not empty, nothing is coloured (https://no-color.org)."),
    EnvironmentVariable(name: "TERM", effect: "If it is dumb, nothing is coloured."),
    EnvironmentVariable(
      name: "LC_ALL, LC_CTYPE, LANG",
      effect: "The first that is not empty tells whether the terminal shows UTF-8."),
    EnvironmentVariable(
      name: "RAWAUDIO_PROCESSOR",
      effect: "x86-64 or x86-64-v3: computes as if the processor were no newer than that. The "
        + "results are the same."),
    EnvironmentVariable(
      name: "RAWAUDIO_LIBSNDFILE",
      effect: "The path of libsndfile; without it, the system's."),
    EnvironmentVariable(
      name: "TMPDIR", effect: "The folder of temporary files; without it, /var/tmp.",
      option: "spool-limit"),
    EnvironmentVariable(
      name: "PIPEWIRE_REMOTE, PIPEWIRE_RUNTIME_DIR, XDG_RUNTIME_DIR",
      effect: "Where a PipeWire server listens: the name of its socket, and its folder.",
      option: "device"),
    EnvironmentVariable(
      name: "RAWAUDIO_RATE, RAWAUDIO_CHANNELS, RAWAUDIO_ENCODING, RAWAUDIO_SAMPLES_PER_CALL, "
        + "RAWAUDIO_POSITION, RAWAUDIO_SOURCE, RAWAUDIO_GROUP",
      effect:
        "Set for the programs of --observe POSITION:exec=COMMAND: the format and origin of their samples.",
      option: "observe"),
    EnvironmentVariable(
      name: "LV2_PATH, LADSPA_PATH",
      effect: "Folders of plug-ins, with colons between them; without them, the usual ones."),
    EnvironmentVariable(
      name: "XDG_CACHE_HOME, HOME",
      effect: "Where rawaudio/plugins.jsonl keeps what plug-ins say of themselves; without it, "
        + "~/.cache. It may be removed at any time.",
      option: "check"),
    EnvironmentVariable(
      name: "RAWAUDIO_PART, RAWAUDIO_PART_JSON",
      effect:
        "Set for the command of --on-part: the path of the part, and its details as JSON.",
      option: "on-part"),
    EnvironmentVariable(
      name: "RAWAUDIO_ALARM, RAWAUDIO_ALARM_STATE, RAWAUDIO_ALARM_JSON",
      effect:
        "Set for the command of --on-alarm: the kind of the alarm, begin or end, and its details as JSON.",
      option: "on-alarm"),
    EnvironmentVariable(
      name: "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID",
      effect:
        "Set by systemd for a service of Type=notify: how it is told that the recording runs, and how it goes.",
      option: "on-part"),
  ]
}

extension ExitCode {
  /// The condition for this exit code.
  var meaning: String {
    switch self {
    case .success:
      "All is done. Also if the reader of a pipe went away, or if a signal ended a run that only a signal ends."
    case .failure: "It failed; standard error says why, and how to go on."
    case .strict:
      "All is done, but something happened that was not to happen: see --fail-on and --expect."
    case .usage: "The command line has a mistake, and nothing was done."
    case .hungUp: "SIGHUP ended it before it was done, and incomplete output is removed."
    case .interrupted: "The same with SIGINT (Ctrl-C)."
    case .terminated: "The same with SIGTERM."
    }
  }

  /// Whether a command with these declarations can end with it.
  func applies(to declarations: [Declaration]) -> Bool {
    guard self == .strict else { return true }
    return declarations.contains { $0.name == "fail-on" || $0.name == "expect" }
  }
}
