// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// The user's settings of a plug-in: `threshold=-18dB`, `preset=Voice`.
enum PluginSettings {
  /// Checks the settings against the controls of a plug-in.
  ///
  /// - Parameters:
  ///   - words: in the form `key=value`.
  ///   - presets: called if a preset is wanted.
  ///   - sampleRate: in hertz, for bounds that follow the rate; nil if unknown: these bounds are not checked then.
  /// - Throws: `invalidParameter`, with the possible values.
  static func resolved(
    _ words: some Sequence<String>, for plugin: PluginDescription,
    presets: () -> [PluginDescription.Preset], sampleRate: Int?
  ) throws(AudioError) -> (values: [String: Float], preset: String?) {
    var values: [String: Float] = [:]
    var preset: String?
    var keys: Set<String> = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      let value = parts.count == 2 ? String(parts[1]) : ""
      func refused(_ reason: String, _ advice: String? = nil) -> AudioError {
        AudioError(
          .invalidParameter, cannot: "set", "\(key)=\(value)", because: reason, advice: advice)
      }
      guard keys.insert(key).inserted else { throw refused("\(key) is set twice") }
      if key == "preset" {
        preset = try Self.preset(value, of: plugin, presets(), refused)
        continue
      }
      guard let port = Self.port(key, of: plugin) else {
        let known = plugin.ports.map(\.symbol)
        throw refused(
          known.isEmpty
            ? "\(plugin.name) has no settings" : "\(plugin.name) has no setting \(key)",
          known.isEmpty ? nil : "it has \(Self.list(known))")
      }
      values[port.symbol] = try Self.number(value, for: port, sampleRate, refused)
    }
    return (values, preset)
  }

  private static func list(_ words: [String]) -> String {
    let shown = words.prefix(24).joined(separator: ", ")
    return words.count > 24 ? "\(shown) and \(words.count - 24) more (rawaudio plugins)" : shown
  }

  private static func preset(
    _ name: String, of plugin: PluginDescription, _ known: [PluginDescription.Preset],
    _ refused: (String, String?) -> AudioError
  ) throws(AudioError) -> String {
    let exact = known.filter { $0.identity == name || $0.name == name }
    let matching = exact.isEmpty ? known.filter { PluginName.matches($0.name, name) } : exact
    if matching.count == 1 { return matching[0].identity }
    if known.isEmpty { throw refused("\(plugin.name) has no presets", nil) }
    let names = (matching.isEmpty ? known : matching).map(\.name)
    throw refused(
      matching.isEmpty ? "\(plugin.name) has no such preset" : "several presets match",
      "there are \(list(names))")
  }

  /// The exact symbol, else the symbol regardless of case, else the control's name.
  private static func port(_ key: String, of plugin: PluginDescription) -> PluginPort? {
    let word = key.lowercased()
    return plugin.ports.first { $0.symbol == key }
      ?? plugin.ports.first { $0.symbol.lowercased() == word }
      ?? plugin.ports.first { $0.name.lowercased() == word }
  }

  private static func number(
    _ text: String, for port: PluginPort, _ sampleRate: Int?,
    _ refused: (String, String?) -> AudioError
  ) throws(AudioError) -> Float {
    let scale = port.followsRate ? sampleRate.map(Double.init) : 1
    let (low, high) = (
      scale.flatMap { scale in port.minimum.map { $0 * scale } },
      scale.flatMap { scale in port.maximum.map { $0 * scale } }
    )
    let unit = port.unit.flatMap { $0.isEmpty ? nil : $0 } ?? ""
    let range = "\(low.map { $0.shortest } ?? "any") to \(high.map { $0.shortest } ?? "any")"
    let points = port.points.map { "\($0.label) (\($0.value.shortest))" }.joined(separator: ", ")
    let allowed =
      port.points.isEmpty
      ? "it takes \(range)\(unit.isEmpty ? "" : " \(unit)")" : "it takes \(points)"
    guard let value = PluginValue(text)?.number(for: port) else {
      throw refused("'\(text)' is no value of \(port.name)", allowed)
    }
    // Bounds are floats: a written 0.1 may exceed its bound by half of the last place.
    let slack = 1e-6 * max(abs(low ?? 0), abs(high ?? 0), 1)
    guard value >= (low ?? value) - slack, value <= (high ?? value) + slack else {
      throw refused("\(value.shortest) is out of range for \(port.name)", allowed)
    }
    guard !port.isInteger || value == value.rounded() else {
      throw refused("\(port.name) takes whole numbers", allowed)
    }
    return Float(value)
  }
}

/// A written value: a number with a unit, or a word.
struct PluginValue {
  private let text: String
  private let unit: String
  private let magnitude: Double?

  /// Nil if `text` is empty.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    // Try the longest number first: an exponent belongs to the number, not to the unit.
    var end = text.endIndex
    var found: (Double, Substring)?
    while found == nil, end > text.startIndex {
      if let number = Double(text[..<end]), text[..<end].last?.isNumber == true {
        found = (number, text[end...])
      }
      end = text.index(before: end)
    }
    magnitude = found?.0
    unit = found.map { String($0.1).lowercased() } ?? ""
  }

  /// The value in the port's own unit; nil if it cannot be converted.
  func number(for port: PluginPort) -> Double? {
    let word = text.lowercased()
    if let point = port.points.first(where: { $0.label.lowercased() == word }) {
      return point.value
    }
    if port.isToggled {
      if ["on", "true", "yes"].contains(word) { return 1 }
      if ["off", "false", "no"].contains(word) { return 0 }
    }
    guard let magnitude else { return nil }
    let own = (port.unit ?? "").lowercased()
    if unit.isEmpty || unit == own { return magnitude }
    switch (unit, own) {
    // A control that multiplies has no unit.
    case ("db", ""), ("db", "g"), ("db", "coef"): return Decibels.factor(magnitude)
    case ("khz", "hz"), ("s", "ms"): return magnitude * 1_000
    case ("ms", "s"), ("hz", "khz"): return magnitude / 1_000
    case (_, ""): return ["hz", "ms", "s", "%", "st", "semi"].contains(unit) ? magnitude : nil
    case ("st", "semi"), ("semitones", "semi"): return magnitude
    default: return nil
    }
  }
}
