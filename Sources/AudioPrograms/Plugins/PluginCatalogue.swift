// SPDX-License-Identifier: Apache-2.0
/// The plug-ins of this machine.
package struct PluginCatalogue: Sendable {
  /// In the order of names.
  package let plugins: [PluginDescription]
  /// LADSPA libraries that end the process which loads them, with the reason.
  package let faulty: [(library: String, reason: String)]

  /// - Parameter plugins: all, in the order of names.
  package init(_ plugins: [PluginDescription]) { (self.plugins, faulty) = (plugins, []) }

  /// Starts processes of `host` that search for plug-ins. If a library ends the process, another follows without that
  /// library.
  ///
  /// - Throws: `notFound` if there is no host; `unsupported` if it fails before any library is loaded.
  package init(_ host: PluginHostProgram) throws(AudioError) {
    var faulty: [(library: String, reason: String)] = []
    while true {
      let (lines, failure) = try host.ask(
        ["list"] + faulty.map(\.library), about: "the host of plug-ins")
      guard let failure else {
        plugins = lines.compactMap(PluginDescription.init).sorted {
          ($0.name.lowercased(), $0.identity) < ($1.name.lowercased(), $1.identity)
        }
        break
      }
      guard let library = lines.last(where: { $0["library"] != nil })?["library"]?.text,
        !faulty.contains(where: { $0.library == library })
      else { throw failure }
      faulty.append((library, failure.reason))
    }
    self.faulty = faulty
  }
}

/// The result of a click through a plug-in.
package struct PluginCheck: Sendable {
  /// The plug-in's own value, in samples at 48 kHz.
  package let latency: Int
  /// The number of latency changes.
  package let latencyChanges: Int
  /// The distance of the answer's loudest sample behind the click, less the latency; nil without an answer.
  package let shift: Int?
  /// NaN samples of the output.
  package let notANumberSamples: Int
  /// Whether a second run gave equal samples.
  package let isRepeatable: Bool

  /// Runs the check in a process of `host`.
  ///
  /// - Throws: the failure of the plug-in.
  package init(
    _ plugin: PluginDescription, _ host: PluginHostProgram
  ) throws(AudioError) {
    let (lines, failure) = try host.ask(
      ["check", plugin.interface.rawValue, plugin.identity], about: plugin.identity)
    if let failure { throw failure }
    let line = lines.first
    latency = line?["latency"]?.int ?? 0
    latencyChanges = line?["changes"]?.int ?? 0
    shift = line?["shift"]?.int
    notANumberSamples = line?["notNumbers"]?.int ?? 0
    isRepeatable = line?["isRepeatable"]?.flag ?? false
  }
}
