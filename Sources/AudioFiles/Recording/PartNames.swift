// SPDX-License-Identifier: Apache-2.0
/// The names of a recording's parts: a pattern with the part's number or the time at which it begins.
///
/// `%0Nd` is the part's number from 0 in at least N digits: `%03d` gives 000, 001, …. `%%` is a percent sign. Other
/// conversions are those of `strftime(3)`, such as `%F` for 2026-03-29 and `%H%M%S` for 142530. `%d` without a 0 is the
/// day of the month; it needs a year, an hour or a number beside it. `{{` and `}}` are braces. Slashes behind the first
/// conversion make folders.
public struct PartNames: Sendable, Hashable {
  /// The pattern as given.
  public let pattern: String
  /// The zone of the times in names.
  public let civilTime: CivilTime
  let names: NamePattern
  var pieces: [NamePattern.Piece] { names.pieces }

  /// - Parameters:
  ///   - pattern: with at least one conversion.
  ///   - civilTime: the zone of the times in names.
  /// - Throws: `invalidParameter` if a conversion is unknown or puts a slash into the name, if a folder would have no
  ///   name of its own, or if all parts would have one name.
  public init(_ pattern: String, in civilTime: CivilTime = .local) throws(AudioError) {
    try self.init(pattern, in: civilTime, keepsFields: false)
  }

  /// - Parameter keepsFields: whether it may have fields, which are filled in later.
  package init(
    _ pattern: String, in civilTime: CivilTime, keepsFields: Bool
  ) throws(AudioError) {
    self.pattern = pattern
    self.civilTime = civilTime
    names = try NamePattern(pattern)
    if !keepsFields { try names.check(fields: []) }
    guard names.varies else {
      throw Self.error(
        pattern, "all parts would have the same name",
        advice: "put %03d into it for their number, or %H%M%S for the time")
    }
    try Self.requireNoDayForNumber(in: names)
    let folders = path(number: 0, time: 0).split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst(names.fixedFolders)
    guard folders.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw Self.error(
        pattern, "a folder or file behind the first conversion would have no name of its own",
        advice: "write it like %Y/%m/%d/%H%M%S.wav")
    }
  }

  static func requireNoDayForNumber(in names: NamePattern) throws(AudioError) {
    guard let day = dayForNumber(in: names.pieces) else { return }
    throw error(
      names.text,
      "'\(day)' is the day of the month, and all parts of a day would have the same name",
      advice: "write %04d for the part's number, or %F for the whole date")
  }

  /// Whether a pattern is refused because it has the day of the month in place of a number.
  public static func takesDayForNumber(_ pattern: String) -> Bool {
    guard let names = try? NamePattern(pattern) else { return false }
    return dayForNumber(in: names.pieces) != nil
  }

  /// The day of the month if no number, year or hour stands beside it: other programs number by `%d`.
  private static func dayForNumber(in pieces: [NamePattern.Piece]) -> String? {
    var day: String?
    for piece in pieces {
      switch piece {
      case .text, .field: continue
      case .number: return nil
      case .time(let conversion):
        if let letter = conversion.last, "cCFgGHIklrRsTXyY".contains(letter) { return nil }
        if conversion.last == "d" { day = conversion }
      }
    }
    return day
  }

  /// Whether names have the time at which their parts begin.
  public var haveTimes: Bool { names.hasTime }

  /// Whether parts that begin at two times, in seconds since 1970, have different names.
  func differ(at one: Int, and other: Int) -> Bool {
    path(number: 0, time: one) != path(number: 0, time: other)
  }

  var haveNumbers: Bool { names.hasNumber }

  /// The folder of all parts: the pattern in front of the first conversion, up to its last slash; `./` if it has none.
  public var folder: String {
    guard case .text(let text) = pieces.first else { return "./" }
    return Pathname(text).directory.text
  }

  /// The list of parts that still need work, in ``folder``, with those of earlier runs.
  ///
  /// - Parameter isSynchronizing: whether a new part's place in it is forced onto the disk.
  package func ledger(synchronizing isSynchronizing: Bool) -> FileLedger {
    let matching = PartMatching(self)
    let prefix = matching.namesFolder ? matching.folder.bytes.count : 0
    return FileLedger(
      in: matching.folder, namesFolder: matching.namesFolder,
      for: Pathname(bytes: Pathname(pattern).bytes.dropFirst(prefix)).text,
      synchronizing: isSynchronizing)
  }

  /// Whether a path may come from the pattern: a list of parts may be written by others.
  package func match(_ path: String) -> Bool {
    let matching = PartMatching(self)
    var bytes = Pathname(path).bytes[...]
    if matching.namesFolder {
      guard bytes.starts(with: matching.folder.bytes) else { return false }
      bytes = bytes.dropFirst(matching.folder.bytes.count)
    }
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let last = matching.components.count - 1
    guard names.count == last + 1,
      !names.contains(where: { ["", ".", ".."].contains(String(decoding: $0, as: UTF8.self)) })
    else { return false }
    return !matching.isKnown
      || names.indices.allSatisfy { index in
        matching.number(
          in: Array(names[index]), of: matching.components[index], isFile: index == last) != nil
      }
  }

  /// The path of a part.
  ///
  /// - Parameters:
  ///   - number: its number, from 0.
  ///   - time: when it begins, in seconds since 1970 in UTC.
  public func path(number: Int, time: Int) -> String {
    names.path(number: number, time: time, in: civilTime)
  }

  private static func error(_ pattern: String, _ reason: String, advice: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use the file name", pattern, because: reason, advice: advice)
  }
}
