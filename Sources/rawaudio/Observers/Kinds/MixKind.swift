// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `mix=SOURCE`: adds another source.
struct MixKind: ObserverKind {
  static let form = ObserverForm(
    "mix", .required("SOURCE", "a source"), help: "Adds a file or a generated source.")
  static let syntax = ValueSyntax<SourceEndpoint>.mixedIn
  let argument: SourceEndpoint

  var filesRead: [String] {
    if case .file(let path) = argument { [path] } else { [] }
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    var inputs: [SessionInput] = []
    let (source, duration) = (argument, installation.duration)
    let description = InputDescription(decoder: installation.list.decoder)
    var installed = try installation.register(
      MixObserver(installation.positions, parameters: installation.parameters) {
        (_) throws(AudioError) in
        let input = try source.input(description, duration: duration)
        inputs.append(input)
        return input.source
      })
    installed.inputs = { inputs }
    return installed
  }
}

extension ValueSyntax<SourceEndpoint> {
  /// A file or a generated source: each stream opens its own.
  fileprivate static let mixedIn = ValueSyntax(name: "source") {
    (text: String) throws(InvalidValue) in
    let source = try source(name: "source").parse(text)
    if source == .standardInput || source.isLive {
      throw InvalidValue("an observer mixes in a file or a generated source")
    }
    return source
  }.offering { SourceEndpoint.offers($0) }
}
