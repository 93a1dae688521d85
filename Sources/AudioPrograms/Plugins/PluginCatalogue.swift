// SPDX-License-Identifier: Apache-2.0
/// The plug-ins of this machine.
package struct PluginCatalogue: Sendable {
  /// In the order of names.
  package let plugins: [PluginDescription]
  /// LADSPA libraries that end the process which loads them, and how.
  package let faulty: [(library: String, reason: String)]

  /// Starts processes of `host` that look for them. One that a library ends is followed by another, without that library.
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

/// A click through a plug-in, and where it came out.
package struct PluginCheck: Sendable {
  /// As the plug-in tells, in samples at 48 kHz.
  package let latency: Int
  /// How often the latency changed.
  package let latencyChanges: Int
  /// How far the loudest sample of the answer lies behind the click, the latency taken off; nil if there is no answer.
  package let shift: Int?
  /// Samples of the output that were not numbers.
  package let notNumbers: Int
  /// Whether a second run gave the same samples.
  package let isRepeatable: Bool

  /// Has a process of `host` do it.
  ///
  /// - Throws: how the plug-in failed.
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
    notNumbers = line?["notNumbers"]?.int ?? 0
    isRepeatable = line?["isRepeatable"]?.flag ?? false
  }
}
