// SPDX-License-Identifier: Apache-2.0
/// The name of a log: one file, or a pattern of `strftime(3)` whose file changes with the time, such as
/// `levels-%F.jsonl`. Folders behind the first conversion are made.
package struct LogNames: Sendable, Hashable {
  private let names: NamePattern
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - text: the name.
  ///   - civilTime: the zone of the times in names.
  /// - Throws: `invalidParameter` if a conversion is unknown, or is a number, or there is a field.
  package init(_ text: String, in civilTime: CivilTime) throws(AudioError) {
    names = try NamePattern(text)
    self.civilTime = civilTime
    try names.check(fields: [])
    // The day alone is refused, and a folder without a name.
    if names.hasTime { _ = try PartNames(text, in: civilTime) }
    guard !names.hasNumber else {
      throw AudioError(
        .invalidParameter, cannot: "use the file name", text, because: "a log has no number",
        advice: "write %F for the date, as in levels-%F.jsonl")
    }
  }

  /// The present file's path; its folders exist afterwards.
  ///
  /// - Throws: `notFound` (the folder in front of the first conversion), `unavailable`, `inputOutput`.
  package func present() throws(AudioError) -> String {
    let path = names.path(number: 0, time: RecordingClock.Moment.now.seconds, in: civilTime)
    if names.hasTime {
      try PartFolders(names, synchronizing: false).make(for: path)
      try OutputTarget.requireRegular(path)
    }
    return path
  }

  /// The log of that name.
  package func series(_ kind: LogKind) throws(AudioError) -> LogSeries {
    try LogSeries(kind, isNameGenerated: names.hasTime) { [self] () throws(AudioError) in
      try present()
    }
  }
}
