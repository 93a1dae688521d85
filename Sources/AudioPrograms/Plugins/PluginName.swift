// SPDX-License-Identifier: Apache-2.0
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
  /// Whether its name, its URI or its label holds every word of `wanted`.
  package func matches(_ wanted: String) -> Bool {
    PluginName.matches(name, wanted) || PluginName.matches(identity, wanted)
      || PluginName.matches("\(name) \(identity)", wanted)
  }
}
