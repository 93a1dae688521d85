/// The name of a tap's files: text with `%s` where the stream's name goes, and `%%` for a percent sign.
struct TapPattern {
  private enum Part {
    case text(String)
    case name
  }

  private let parts: [Part]

  /// - Throws: `invalidParameter` for any other `%`.
  init(_ pattern: String) throws(AudioError) {
    var parts: [Part] = []
    var text = ""
    var rest = pattern.makeIterator()
    while let character = rest.next() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      switch rest.next() {
      case "%": text.append("%")
      case "s":
        parts += [.text(text), .name]
        text = ""
      case let other:
        throw AudioError(
          .invalidParameter, cannot: "use the file name", pattern,
          because: "'%\(other.map(String.init) ?? "")' means nothing",
          advice: "write %s for the source's id and %% for a percent sign")
      }
    }
    self.parts = parts + [.text(text)]
  }

  /// Whether different streams get different paths.
  var namesStreams: Bool {
    parts.contains { if case .name = $0 { true } else { false } }
  }

  func path(_ name: String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .name: name
      }
    }.joined()
  }
}
