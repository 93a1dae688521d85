internal import AudioCore

/// What a recording does that nobody looks at.
struct UnattendedRequest: Sendable, Hashable {
  /// Run by the shell for every part that is complete.
  var partCommand: String?
}

/// The options of recordings that nobody looks at.
enum UnattendedOptions {
  static let onPart = Option(
    "on-part", .shellCommand, group: .unattended,
    help: """
      Have the shell run this for every part that is complete, or for the only file: one after another, beside \
      the recording. RAWAUDIO_PART is its path, RAWAUDIO_PART_JSON what there is to know of it.
      """)

  static let parameters: [any Declared] = [onPart]

  /// - Parameter sinks: those of the session.
  static func request(
    _ arguments: ParsedArguments, sinks: [SinkEndpoint]
  ) throws(UsageError) -> UnattendedRequest {
    let request = UnattendedRequest(partCommand: try arguments.value(of: onPart))
    if request.partCommand != nil, sinks.allSatisfy({ $0.partFolder == nil }) {
      throw UsageError("'\(onPart.declaration.label)' needs an output that is a file")
    }
    return request
  }
}

extension ValueSyntax<String> {
  /// A line for `/bin/sh -c`.
  static let shellCommand = ValueSyntax(name: "command") { (text: String) throws(InvalidValue) in
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw InvalidValue("the command is empty")
    }
    return text
  }
}
