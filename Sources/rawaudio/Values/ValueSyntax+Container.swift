internal import AudioCore

extension ValueSyntax<Container> {
  /// `wav`, `flac`, `raw`, … in any case, with or without a dot in front.
  static let container = ValueSyntax(
    name: "type", choices: Container.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    guard let container = Container(name: name) else {
      throw InvalidValue(
        "it is no container; the usual ones are wav, flac, aiff, caf, w64, ogg, opus, mp3 and raw")
    }
    return container
  }
}
