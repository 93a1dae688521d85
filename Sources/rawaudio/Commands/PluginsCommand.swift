// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import AudioPlugins

/// `rawaudio plugins`: the LV2 and LADSPA effects of this machine, and their controls.
struct PluginsCommand: Command {
  @Argument(
    .text(name: "pattern"), isRequired: false,
    help:
      "A URI, LIBRARY:LABEL, or words of a name. One plug-in that matches is shown with its controls."
  )
  var patterns: [String]
  @Flag("json", help: "Print JSON.") var writesJSON: Bool
  @Flag(
    "check",
    help: """
      Send a click through each with its own settings, and tell where it comes out; a plug-in that cannot run makes the \
      exit code 1.
      """)
  var checks: Bool

  static let name = "plugins"
  static let abstract = "List LV2 and LADSPA plug-ins, their controls, and whether they keep time."
  static let discussion = """
    A plug-in is used as an observer, --observe record:lv2=NAME,CONTROL=VALUE, anywhere. LV2_PATH and LADSPA_PATH say \
    where plug-ins are looked for, else the usual folders.
    """

  static let examples = [
    Example("All plug-ins:", "rawaudio plugins"),
    Example("Compressors, for another program:", "rawaudio plugins compressor --json"),
  ]

  func run(on console: Console) throws -> ExitCode {
    let pattern = patterns.joined(separator: " ")
    let catalogue = try PluginCache.catalogue(.current) {
      writesJSON && (pattern.isEmpty || $0.matches(pattern))
    }
    for (library, reason) in catalogue.faulty {
      console.note("the LADSPA library '\(library)' is left out: \(reason)")
    }
    let effects = catalogue.plugins.filter(\.isEffect)
    let found = Self.matches(effects, pattern)
    if found.isEmpty, !writesJSON {
      if pattern.isEmpty {
        console.note("there is no LV2 and no LADSPA effect on this machine")
        return .success
      }
      throw AudioError(
        .notFound, cannot: "find", pattern,
        because: "none of \(effects.count) effects has these words in its name",
        advice: "'rawaudio plugins' lists them")
    }
    if checks { return try check(found, on: console) }
    guard found.count == 1, !pattern.isEmpty else {
      try console.print(writesJSON ? JSONValue.array(found.map(\.json)).serialized : found.table)
      return .success
    }
    // A list omits the presets, because it would read all their files.
    let plugin = try PluginReference(found[0].interface, found[0].identity).description(.current)
    try console.print(writesJSON ? JSONValue.array([plugin.json]).serialized : plugin.page)
    return .success
  }

  /// Returns the plug-ins with exactly this identity or name, else those that match its words.
  private static func matches(
    _ effects: [PluginDescription], _ pattern: String
  ) -> [PluginDescription] {
    if pattern.isEmpty { return effects }
    let word = pattern.lowercased()
    let exact = effects.filter { $0.identity == pattern || $0.name.lowercased() == word }
    return exact.isEmpty ? effects.filter { $0.matches(pattern) } : exact
  }

  private func check(_ plugins: [PluginDescription], on console: Console) throws -> ExitCode {
    var results: [JSONValue] = []
    var haveAllRun = true
    for plugin in plugins {
      var result: JSONValue.Members = [
        ("identity", .string(plugin.identity)), ("name", .string(plugin.name)),
      ]
      let text: String
      do throws(AudioError) {
        let check = try PluginCheck(plugin, .current)
        result += check.members
        text = check.text
      } catch {
        haveAllRun = false
        result.append(("failure", .string(error.reason)))
        text = "fails: \(error.reason)"
      }
      results.append(.object(result))
      if !writesJSON { try console.print("\(plugin.name) (\(plugin.identity)): \(text)\n") }
    }
    if writesJSON { try console.print(JSONValue.array(results).serialized) }
    return haveAllRun ? .success : .failure
  }
}

extension PluginCheck {
  fileprivate var text: String {
    var words = [latency == 0 ? "no latency" : "latency \(latency)"]
    switch shift {
    case nil: words.append("no answer to the click")
    case 0: words.append("the click stays in place")
    case let shift?:
      words.append("the click moves by \(shift > 0 ? "+" : "")\(shift) samples")
    }
    if latencyChanges > 0 { words.append("the latency changes while it runs") }
    if notANumberSamples > 0 { words.append("it gives \(notANumberSamples.samplesNotFinite)") }
    if !isRepeatable { words.append("no two runs are equal") }
    return words.joined(separator: ", ")
  }

  fileprivate var members: JSONValue.Members {
    [
      ("latency", .integer(Int64(latency))), ("latencyChanges", .integer(Int64(latencyChanges))),
      ("shift", shift.map { .integer(Int64($0)) } ?? .null),
      ("notNumbers", .integer(Int64(notANumberSamples))), ("isRepeatable", .boolean(isRepeatable)),
    ]
  }
}

extension [PluginDescription] {
  /// A line for each plug-in.
  fileprivate var table: String {
    let rows = map { plugin in
      [
        plugin.name, plugin.channels, plugin.tellsLatency ? "latency" : "", plugin.kind,
        "\(plugin.interface.rawValue)=\(plugin.identity)",
      ]
    }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.count)
      }.joined(separator: "  ") + "  \(row[4])\n"
    }.joined()
  }
}

extension PluginDescription {
  fileprivate var page: String {
    var lines = [
      name, "  \(interface.rawValue)=\(identity)",
      "  \(channels) channels\(tellsLatency ? ", tells its latency" : "")",
    ]
    if let obstacle { lines.append("  cannot run here: \(obstacle)") }
    let width = ports.reduce(0) { max($0, $1.symbol.count) }
    for port in ports {
      let gap = String(repeating: " ", count: width - port.symbol.count)
      lines.append("  \(port.symbol)\(gap)  \(port.range)  \(port.name)")
      if !port.points.isEmpty {
        let points = port.points.map { "\($0.value.shortest) \($0.label)" }
        lines.append(
          "  \(String(repeating: " ", count: width))    \(points.joined(separator: ", "))")
      }
    }
    if !presets.isEmpty {
      lines.append("  presets: " + presets.map(\.name).joined(separator: ", "))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PluginPort {
  fileprivate var range: String {
    let rate = followsRate ? " of the rate" : ""
    let unit = unit.flatMap { $0.isEmpty ? nil : " " + $0 } ?? ""
    if isToggled { return standard > 0 ? "off or on (on)" : "off or on (off)" }
    let (low, high) = (minimum?.shortest ?? "any", maximum?.shortest ?? "any")
    return "\(low) to \(high)\(unit)\(rate) (\(standard.shortest))"
  }
}

/// The descriptions of this machine's plug-ins in a file, because lilv takes seconds to read those of hundreds.
///
/// The first line is the state of the plug-ins' folders, the next ones are the descriptions, the last one is their number.
/// A description stands without its controls, which are most of it, and behind a tab with them. A file of another state, of
/// another user, or with another content is ignored.
enum PluginCache {
  /// The plug-ins by the file, else by their own descriptions, which go into the file.
  ///
  /// - Parameter needsControls: whether the controls of a plug-in are needed.
  static func catalogue(
    _ host: PluginHostProgram, needsControls: (PluginDescription) -> Bool
  ) throws(AudioError) -> PluginCatalogue {
    let state = PluginFolders.state
    if let state, let path, let known = read(path, state, needsControls) {
      return PluginCatalogue(known)
    }
    let found = try PluginCatalogue(host)
    // A library that fails may do better the next time.
    guard let state, let path, found.faulty.isEmpty, PluginFolders.state == state else {
      return found
    }
    // The file is never needed.
    try? write(found.plugins, path, state)
    return found
  }

  /// Source: XDG Base Directory Specification 0.8.
  private static var path: String? {
    func variable(_ name: String) -> String? {
      let text = unsafe getenv(name).map { unsafe String(cString: $0) }
      return text?.hasPrefix("/") == true ? text : nil
    }
    let folder = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" }
    return folder.map { $0 + "/rawaudio/plugins.jsonl" }
  }

  private static let largest: Int64 = 64 << 20

  private static func read(
    _ path: String, _ state: String, _ needsControls: (PluginDescription) -> Bool
  ) -> [PluginDescription]? {
    var status = stat()
    guard unsafe lstat(Pathname(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0, status.st_size <= largest,
      let file = try? FileDescriptor(reading: path),
      let bytes = try? file.bytes(Int(status.st_size), at: 0)
    else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count >= 2, lines[0].elementsEqual(state.utf8),
      lines[lines.count - 1].elementsEqual("\(lines.count - 2)".utf8)
    else { return nil }
    let plugins = lines.dropFirst().dropLast().compactMap { line -> PluginDescription? in
      let forms = line.split(separator: UInt8(ascii: "\t"))
      func description(_ form: ArraySlice<UInt8>?) -> PluginDescription? {
        form.flatMap { try? JSONValue(reading: $0) }.flatMap(PluginDescription.init)
      }
      guard forms.count == 2, let short = description(forms.first) else { return nil }
      return needsControls(short) ? description(forms.last) : short
    }
    return plugins.count == lines.count - 2 ? plugins : nil
  }

  private static func write(
    _ plugins: [PluginDescription], _ path: String, _ state: String
  ) throws(AudioError) {
    let descriptions = plugins.map { plugin in
      var short = plugin
      short.ports = []
      return short.json.compact + "\t" + plugin.json.compact
    }
    let lines = [state] + descriptions + ["\(plugins.count)", ""]
    try PartFolders(fixedFolders: 0).make(for: path)
    // The rights of a file that is ignored would stay.
    unsafe _ = unlink(Pathname(path).cString)
    let destination = FileDestination(path: path, overwrites: true)
    let output = try destination.open(Wakeup())
    _ = try output.descriptor.write(Array(lines.joined(separator: "\n").utf8))
    try destination.commit(output)
  }
}
