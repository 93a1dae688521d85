// SPDX-License-Identifier: Apache-2.0
/// A plug-in's own description.
package struct PluginDescription: Sendable, Equatable {
  package var interface: PluginInterface
  /// Its only name: an LV2 URI, or `LIBRARY:LABEL`.
  package var identity: String
  package var name: String
  /// For example `Compressor`; may be empty.
  package var kind = ""
  /// The audio inputs and outputs; `sideChains` counts the inputs that only steer.
  package var inputs = 0
  package var outputs = 0
  package var sideChains = 0
  /// Whether it has an output for its latency.
  package var tellsLatency = false
  /// The controls that can be set.
  package var ports: [PluginPort] = []
  /// The URIs and the names of presets.
  package var presets: [Preset] = []
  /// The reason why it cannot run here; nil if it can.
  package var obstacle: String?

  package struct Preset: Sendable, Equatable {
    package var identity: String
    package var name: String

    package init(identity: String, name: String) { (self.identity, self.name) = (identity, name) }
  }

  package init(_ interface: PluginInterface, identity: String, name: String) {
    self.interface = interface
    self.identity = identity
    self.name = name
  }

  /// Whether it has audio inputs and outputs.
  package var isEffect: Bool { inputs > 0 && outputs > 0 }

  /// The inputs for the stream.
  package var mainInputs: Int { inputs - sideChains }

  /// For example `2→2`, and `2+1→2` with a side chain.
  package var channels: String {
    "\(mainInputs)\(sideChains > 0 ? "+\(sideChains)" : "")→\(outputs)"
  }
}

extension PluginDescription {
  package var json: JSONValue {
    let presets = presets.map { preset in
      JSONValue.object([("identity", .string(preset.identity)), ("name", .string(preset.name))])
    }
    return .object([
      ("interface", .string(interface.rawValue)), ("identity", .string(identity)),
      ("name", .string(name)), ("class", .string(kind)), ("inputs", .integer(Int64(inputs))),
      ("outputs", .integer(Int64(outputs))), ("sideChains", .integer(Int64(sideChains))),
      ("tellsLatency", .boolean(tellsLatency)), ("ports", .array(ports.map(\.json))),
      ("presets", .array(presets)), ("obstacle", obstacle.map { .string($0) } ?? .null),
    ])
  }

  /// Nil if `json` is no description.
  package init?(_ json: JSONValue) {
    guard let interface = json["interface"]?.text.flatMap(PluginInterface.init),
      let identity = json["identity"]?.text, let name = json["name"]?.text
    else { return nil }
    self.init(interface, identity: identity, name: name)
    kind = json["class"]?.text ?? ""
    inputs = json["inputs"]?.int ?? 0
    outputs = json["outputs"]?.int ?? 0
    sideChains = json["sideChains"]?.int ?? 0
    tellsLatency = json["tellsLatency"]?.flag ?? false
    ports = (json["ports"]?.elements ?? []).compactMap(PluginPort.init)
    presets = (json["presets"]?.elements ?? []).compactMap { preset in
      guard let identity = preset["identity"]?.text, let name = preset["name"]?.text else {
        return nil
      }
      return Preset(identity: identity, name: name)
    }
    obstacle = json["obstacle"]?.text
  }
}

/// The search for plug-ins by a part of their names.
package enum PluginName {
  /// Whether every word of `wanted` occurs in `name`: `lsp-limiter` in `LSP Limiter Stereo`. Ignores case; characters
  /// that are neither letters nor digits separate words.
  package static func matches(_ name: String, _ wanted: String) -> Bool {
    let words = words(of: wanted)
    let text = Self.words(of: name).joined(separator: " ")
    return !words.isEmpty && words.allSatisfy { text.place(of: $0) != nil }
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension PluginDescription {
  /// Whether its name and its URI or its label hold every word of `wanted`.
  package func matches(_ wanted: String) -> Bool {
    PluginName.matches("\(name) \(identity)", wanted)
  }
}
