// SPDX-License-Identifier: Apache-2.0
/// The name of a log: one file, or a pattern of `strftime(3)` whose file changes with the time, such as
/// `levels-%F.jsonl`. Folders behind the first conversion are made.
package struct LogNames: Sendable, Hashable {
  private let text: String
  /// Nil for one file.
  private let names: PartNames?

  /// - Parameters:
  ///   - text: the name; `%%` is a percent sign if there is any other conversion.
  ///   - civilTime: the zone of the times in names.
  /// - Throws: `invalidParameter` if a conversion is unknown, or is a number.
  package init(_ text: String, in civilTime: CivilTime) throws(AudioError) {
    self.text = text
    names = text.utf8.contains(UInt8(ascii: "%")) ? try PartNames(text, in: civilTime) : nil
    guard names?.haveNumbers != true else {
      throw AudioError(
        .invalidParameter, cannot: "use the file name", text, because: "a log has no number",
        advice: "write %F for the date, as in levels-%F.jsonl")
    }
  }

  /// The present file's path; its folders exist afterwards.
  ///
  /// - Throws: `notFound` (the folder in front of the first conversion), `unavailable`, `inputOutput`.
  package func present() throws(AudioError) -> String {
    guard let names else { return text }
    let path = names.path(number: 0, time: Int(WallTime.now / 1_000_000_000))
    _ = try PartFolders(names, synchronizing: false).make(for: path)
    return path
  }

  /// The log of that name.
  package func series(_ kind: LogKind) throws(AudioError) -> LogSeries {
    try LogSeries(kind, isNameGenerated: names != nil) { [self] () throws(AudioError) in
      try present()
    }
  }
}
