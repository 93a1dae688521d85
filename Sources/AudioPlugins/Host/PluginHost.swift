// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import Glibc

/// The process that runs plug-ins: a crash, hang or exit of a plug-in affects nothing else.
///
/// ``PluginObserver`` starts it for each stream. A program that uses plug-ins calls ``serve(_:)`` first in `main`, so
/// that it can be its own host.
public enum PluginHost {
  /// Serves a session, and never returns, if `arguments` show that this process was started for plug-ins.
  ///
  /// - Parameter arguments: the words of the command line behind the program's name.
  public static func serve(_ arguments: [String]) {
    guard arguments.first == PluginHostProgram.word else { return }
    let words = Array(arguments.dropFirst())
    let pipes = HostPipes(memoryLimit: 2 << 30)
    do throws(AudioError) {
      try answer(words, pipes)
    } catch {
      let print = error.kind == .unavailable ? pipes.lastPrint.map { " (\($0))" } : nil
      pipes.report(
        .object([
          ("event", .string("failed")), ("subject", .string(error.subject)),
          ("reason", .string(error.reason + (print ?? ""))),
          ("advice", error.advice.map { .string($0) } ?? .null),
        ]))
      _exit(2)
    }
    // Libraries of plug-ins may crash at their unloading.
    _exit(0)
  }

  private static func answer(_ words: [String], _ pipes: HostPipes) throws(AudioError) {
    switch words.first {
    case "list": list(Set(words.dropFirst()), pipes)
    case "find":
      let plugin = try plugin(words)
      var description = plugin.description
      let presets = (plugin as? LV2Plugin)?.presets ?? []
      description.presets = presets
      _ = try PluginSettings.resolved(
        words.dropFirst(3), for: description, presets: { presets }, sampleRate: nil)
      pipes.print(description.json)
    case "try":
      let rack = try rack(words)
      // Some plug-ins report their latency only after a few runs.
      for _ in 0..<4 { rack.run() }
      pipes.print(.object([("latency", .number(rack.latency))]))
    case "check": pipes.print(try ImpulseCheck.answer(of: plugin(words)))
    case "run":
      let rack = try rack(words)
      pipes.report(.object([("event", .string("ready"))]))
      var loop = HostLoop(rack, pipes)
      loop.run()
    default: throw refused(words.first ?? "", "there is no such request")
    }
  }

  private static func refused(_ request: String, _ reason: String) -> AudioError {
    AudioError(.invalidParameter, cannot: "serve", request, because: reason)
  }

  /// Request, interface, reference.
  private static func plugin(_ words: [String]) throws(AudioError) -> any LoadedPlugin {
    guard words.count >= 3, let interface = PluginInterface(rawValue: words[1]) else {
      throw refused(words.joined(separator: " "), "words are missing")
    }
    return try PluginShelf.plugin(interface, words[2])
  }

  /// Request, interface, reference, rate, channels, block length, settings.
  private static func rack(_ words: [String]) throws(AudioError) -> PluginRack {
    let plugin = try plugin(words)
    guard words.count >= 6, let rate = Int(words[3]), let channels = Int(words[4]),
      let block = Int(words[5]), rate > 0, channels > 0, block > 0
    else { throw refused(words.joined(separator: " "), "words are missing") }
    let (values, preset) = try PluginSettings.resolved(
      words.dropFirst(6), for: plugin.description,
      presets: { (plugin as? LV2Plugin)?.presets ?? [] }, sampleRate: rate)
    return try PluginRack(
      plugin,
      InstanceSetting(sampleRate: rate, blockLength: block, values: values, preset: preset),
      channelCount: channels)
  }

  /// Prints a line for each plug-in. The name of a LADSPA library precedes its loading, which may end this process.
  private static func list(_ skipped: Set<String>, _ pipes: HostPipes) {
    if let world = try? LV2World() {
      for uri in world.identities {
        if let plugin = world.plugin(uri) { pipes.print(plugin.description.json) }
      }
    }
    for library in PluginShelf.libraries.paths where !skipped.contains(library.name) {
      pipes.print(.object([("library", .string(library.name))]))
      for plugin in LadspaLibraries.plugins(of: library) { pipes.print(plugin.description.json) }
    }
  }
}
