internal import CSndfile

extension AudioError {
  /// The error that libsndfile names by a code and a text.
  init(
    sndfileCode code: Int32, _ text: UnsafePointer<CChar>?, cannot action: String, _ subject: String
  ) {
    let kind: Kind =
      switch Int(code) {
      case SF_ERR_SYSTEM: .inputOutput
      case SF_ERR_UNSUPPORTED_ENCODING: .unsupported
      default: action == "read" ? .malformed : action == "complete" ? .inputOutput : .unsupported
      }
    let message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    self.init(kind, cannot: action, subject, because: Self.reason(sndfileMessage: message))
  }

  /// libsndfile's message as part of our own line: without its prefix, full stop and capital.
  private static func reason(sndfileMessage message: String) -> String {
    // What the MPEG decoder says of a file that is there and open, but damaged (SFE_BAD_FILE).
    if message.hasPrefix("File does not exist") { return "libsndfile finds no MPEG audio in it" }
    var text = Substring(message)
    for prefix in ["Error : ", "Error: ", "Internal error : ", "System error : "]
    where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    text = text.prefix { !$0.isNewline }
    while text.last == "." || text.last == " " { text = text.dropLast() }
    let firstWord = text.prefix { $0 != " " }
    let origin = message.hasPrefix("System error") ? "" : "libsndfile says: "
    let isName = firstWord.dropFirst().contains { $0.isUppercase }
    let start = isName ? String(text.prefix(1)) : text.prefix(1).lowercased()
    return "\(origin)\(start)\(text.dropFirst())"
  }
}
