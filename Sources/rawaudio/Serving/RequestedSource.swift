// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

/// The source of a conversion and its part, which a request names beside the words of the command line.
struct RequestedSource {
  let path: String
  private let start: String?
  private let end: String?

  /// - Returns: nil if the words name the source.
  init?(_ request: JSONValue) {
    guard let path = request["source"]?.text else { return nil }
    self.path = Pathname(escaped: path).text
    (start, end) = (request["start"]?.text, request["end"]?.text)
  }

  /// The words that name them on a command line.
  var words: [String] {
    let part = [start.map { "--start=\($0)" }, end.map { "--end=\($0)" }]
    return part.compactMap(\.self) + ["--", path]
  }

  /// The command for this source. Nil if its words have to be checked with it.
  fileprivate func of(_ command: ConvertCommand) -> ConvertCommand? {
    guard path != "-", !path.contains(":"), isRegularFile(path) == true else { return nil }
    do {
      return command.limited(
        from: try start.map(SourcePoint.init(_:)), to: try end.map(SourcePoint.init(_:)))
    } catch {
      return nil
    }
  }
}

/// The last conversion, for requests with another source or part. Reading a command line takes as long as a short sound.
final class LastConversion {
  private var words: [String] = []
  private var command: ConvertCommand?

  /// Returns the command that the words ask for.
  ///
  /// - Parameter parse: reads a whole command line; nil for all but conversions of one file.
  func command(
    _ words: [String], of source: RequestedSource, parse: ([String]) -> ConvertCommand?
  ) -> ConvertCommand? {
    if words != self.words {
      self.words = words
      command = parse(words + ["--", source.path]).flatMap { $0.isForAnyPart ? $0 : nil }
    }
    return command.flatMap(source.of) ?? parse(words + source.words)
  }
}

extension ConvertCommand {
  /// Whether another part of another file differs in nothing else. Names of outputs depend on the source.
  fileprivate var isForAnyPart: Bool {
    guard case .standardOutput = output.sink else { return false }
    return edits.start == nil && edits.end == nil && edits.clock == nil && duration == nil
      && observation.observers.isEmpty
  }
}
