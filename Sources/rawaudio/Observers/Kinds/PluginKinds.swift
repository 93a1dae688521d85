// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

// Plug-ins. Each runs in a process of this program.

/// `lv2=URI,key=value,…`
struct LV2Kind: PluginKind {
  static let form = ObserverForm(
    "lv2", .required("PLUGIN[,KEY=VALUE...]", "a plug-in"),
    help: """
      An LV2 plug-in: its URI, or words of its name that no other has; its controls, and preset=NAME. 'rawaudio plugins \
      NAME' lists them. Nothing moves in time, and a plug-in that crashes does so alone.
      """)
  static let syntax = ValueSyntax<PluginReference>.plugin(.lv2)
  let argument: PluginReference
  var block: Int?
  var latency: Int?
  var timeout: Duration?

  init(argument: PluginReference) { self.argument = argument }
}

/// `ladspa=LIBRARY:LABEL,key=value,…`
struct LadspaKind: PluginKind {
  static let form = ObserverForm(
    "ladspa", .required("PLUGIN[,KEY=VALUE...]", "a plug-in"),
    help: "A LADSPA plug-in, likewise: LIBRARY:LABEL, or words of its name.")
  static let syntax = ValueSyntax<PluginReference>.plugin(.ladspa)
  let argument: PluginReference
  var block: Int?
  var latency: Int?
  var timeout: Duration?

  init(argument: PluginReference) { self.argument = argument }
}

protocol PluginKind: ObserverKind where Argument == PluginReference {
  /// The samples per channel of one run of the plug-in.
  var block: Int? { get set }
  /// The largest delay in a live session besides its own latency, in samples per channel.
  var latency: Int? { get set }
  /// The longest time without progress.
  var timeout: Duration? { get set }
}

extension PluginKind {
  static var keys: [ObserverKey<Self>] {
    [
      ObserverKey(
        "block", .blockLength, \.block, help: "samples per channel of a run: a power of two (1024)."
      ),
      ObserverKey(
        "latency", .latency, \.latency,
        help: "in a live session how far it may be behind, in samples per channel."),
      ObserverKey("timeout", .duration, \.timeout, help: "how long it may do nothing (10s)."),
    ]
  }

  /// Returns no outputs, but finds the plug-in and checks its settings early.
  func outputs(
    of _: ObserverRequest, in _: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] {
    _ = try argument.description(.current)
    return []
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let position = installation.observer.position
    let plugin = try PluginObserver(
      installation.positions, argument, host: .current, blockLength: block ?? 1_024,
      latency: latency, timeout: timeout ?? .seconds(10), parameters: installation.parameters)
    var installed = try installation.register(plugin)
    installed.losses = { plugin.statistics[position]?.losses ?? [] }
    installed.details = { plugin.statistics[position].map { [$0.accounting] } ?? [] }
    return installed
  }
}

extension PluginStatistics {
  fileprivate var losses: [String] {
    var losses: [String] = []
    if let failure {
      losses.append("\(failure.reason); from there on the sound went on as it was")
    }
    losses += lossesOfDelay(late: late, skipped: skipped)
    if notANumberSamples > 0 {
      losses.append(
        "it gave \(Int(notANumberSamples).samplesNotFinite); silence stands in for them")
    }
    if let change = firstChange {
      let more = latencyChanges > 1 ? ", and \(latencyChanges - 1) times more" : ""
      losses.append(
        "its latency changed from \(change.before) to \(change.after) samples at sample"
          + " \(change.place)\(more); the sound was cut there to stay in place")
    }
    return losses
  }

  fileprivate var accounting: String {
    "\(samplesIn) samples per channel in, \(samplesOut) out, brought forward by \(latency)"
  }
}

extension ValueSyntax<PluginReference> {
  fileprivate static func plugin(_ interface: PluginInterface) -> Self {
    ValueSyntax(name: "plug-in") { (text: String) throws(InvalidValue) in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for word in words.dropFirst() where word.firstIndex(of: "=") == nil {
        throw InvalidValue("'\(word)' is no key=value")
      }
      return PluginReference(interface, words[0], words: Array(words.dropFirst()))
    }
  }
}

extension ValueSyntax<Int> {
  fileprivate static let blockLength = ValueSyntax(name: "samples") {
    (text: String) throws(InvalidValue) in
    guard let length = Int(text), PluginObserver.blockLengths.contains(length),
      length & (length - 1) == 0
    else {
      throw InvalidValue("a block is a power of two from 16 to 8192")
    }
    return length
  }
}
