// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The supported plug-in interfaces.
@nonexhaustive
public enum PluginInterface: String, Sendable, CaseIterable {
  case lv2
  case ladspa
}

/// A plug-in and its settings.
///
/// ```swift
/// let compressor = PluginReference(
///   .lv2, "http://calf.sourceforge.net/plugins/Compressor",
///   settings: ["threshold": "-18dB", "ratio": "3"])
/// ```
public struct PluginReference: Sendable, Hashable {
  public let interface: PluginInterface
  /// An LV2 URI or `LIBRARY:LABEL`; or words of its name that no other plug-in has.
  public let name: String
  /// In the form `key=value`.
  package let settings: [String]

  /// - Parameter settings: values by the symbols of controls, as `rawaudio plugins NAME` lists them: numbers in the
  ///   control's own unit, numbers with a unit (`-18dB`, `2kHz`, `5ms`), names of scale points, `on` and `off`.
  ///   `preset` names a preset; the other settings override its values.
  public init(_ interface: PluginInterface, _ name: String, settings: [String: String] = [:]) {
    self.init(
      interface, name, words: settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
  }

  /// - Parameter words: settings in the form `key=value`.
  package init(_ interface: PluginInterface, _ name: String, words: [String]) {
    self.interface = interface
    self.name = name
    settings = words
  }

  /// The words of a request to a host.
  func words(_ request: String, _ format: StreamFormat, _ blockLength: Int) -> [String] {
    [
      request, interface.rawValue, name, "\(format.sampleRate)", "\(format.channelCount)",
      "\(blockLength)",
    ] + settings
  }

  /// The plug-in's own description, with its presets, from a process of `host`.
  ///
  /// - Throws: `notFound`; `unsupported` or `invalidParameter` if several plug-ins match, or if the settings are
  ///   wrong.
  package func description(_ host: PluginHostProgram) throws(AudioError) -> PluginDescription {
    let (lines, failure) = try host.ask(["find", interface.rawValue, name] + settings, about: name)
    if let failure { throw failure }
    guard let description = lines.first.flatMap(PluginDescription.init) else {
      throw AudioError(.inputOutput, cannot: "run", host.path, because: "its answer is malformed")
    }
    return description
  }

  /// The plug-in's reported latency after a few runs with these settings, in samples per channel.
  ///
  /// - Throws: the errors of ``description(_:)``; `unsupported` if the plug-in cannot be instantiated.
  func latency(
    in format: StreamFormat, _ blockLength: Int, _ host: PluginHostProgram
  ) throws(AudioError) -> Int {
    let words = words("try", format, blockLength)
    // Cached, for each file of a list asks again.
    let key = [host.path] + words
    if let known = Self.known.withLock({ $0[key] }) { return known }
    let (lines, failure) = try host.ask(words, about: name)
    if let failure { throw failure }
    let told = lines.first?["latency"]?.double ?? 0
    let latency = told.isFinite ? Int(min(max(0, told.rounded()), 1e7)) : 0
    Self.known.withLock { $0[key] = latency }
    return latency
  }

  private static let known = Mutex<[[String]: Int]>([:])
}
