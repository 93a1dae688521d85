// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import Glibc

/// The search for plug-ins by their names.
enum PluginShelf {
  /// The plug-in of `reference`.
  ///
  /// - Parameter reference: its identity, its name, or words of one of them that no other plug-in has.
  /// - Throws: `notFound`; `invalidParameter` if several match.
  static func plugin(
    _ interface: PluginInterface, _ reference: String
  ) throws(AudioError) -> any LoadedPlugin {
    switch interface {
    case .lv2:
      let world = try LV2World()
      if let exact = world.plugin(reference) { return exact }
      return try only(world.identities.compactMap(world.plugin), interface, reference)
    case .ladspa:
      let libraries = libraries
      if let colon = reference.firstIndex(of: ":") {
        let name = reference[..<colon]
        if let library = libraries.paths.first(where: { $0.name == name }),
          let exact = LadspaLibraries.plugins(of: library).first(where: {
            $0.description.identity == reference
          })
        {
          return exact
        }
      }
      return try only(
        libraries.paths.flatMap(LadspaLibraries.plugins), interface, reference)
    }
  }

  /// The libraries in LADSPA_PATH, else in the usual folders.
  static var libraries: LadspaLibraries {
    LadspaLibraries(unsafe getenv("LADSPA_PATH").map { unsafe String(cString: $0) })
  }

  private static func only(
    _ all: [any LoadedPlugin], _ interface: PluginInterface, _ reference: String
  ) throws(AudioError) -> any LoadedPlugin {
    let word = reference.lowercased()
    let named = all.filter { plugin in
      let label = plugin.description.identity.split(separator: ":").last ?? ""
      return plugin.description.name.lowercased() == word || label.lowercased() == word
    }
    let matching =
      named.isEmpty ? all.filter { $0.description.matches(reference) } : named
    if matching.count == 1 { return matching[0] }
    let kind = interface == .lv2 ? "LV2" : "LADSPA"
    guard !matching.isEmpty else {
      throw AudioError(
        .notFound, cannot: "use", reference,
        because: all.isEmpty
          ? "there are no \(kind) plug-ins on this machine" : "no \(kind) plug-in has that name",
        advice: "'rawaudio plugins' lists all of them")
    }
    let some = matching.prefix(6).map { "\($0.description.identity)" }.joined(separator: ", ")
    let rest = matching.count > 6 ? " and \(matching.count - 6) more" : ""
    throw AudioError(
      .invalidParameter, cannot: "use", reference,
      because: "\(matching.count) plug-ins match: \(some)\(rest)", advice: "name one of them")
  }
}
