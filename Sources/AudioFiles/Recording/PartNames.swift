// SPDX-License-Identifier: Apache-2.0
/// The names of a recording's parts: a pattern with the part's number or the time at which it begins.
///
/// `%0Nd` is the part's number from 0 in at least N digits: `%03d` gives 000, 001, …. `%%` is a percent sign. Other
/// conversions are those of `strftime(3)`, such as `%F` for 2026-03-29 and `%H%M%S` for 142530. `%d` without a 0 is the
/// day of the month; it needs a year, an hour or a number beside it. Slashes behind the first conversion make folders.
public struct PartNames: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case text(String)
    /// The part's number, in at least so many digits.
    case number(digits: Int)
    /// A conversion of `strftime`, with its percent sign.
    case time(String)
  }

  /// The pattern as given.
  public let pattern: String
  /// The zone of the times in names.
  public let civilTime: CivilTime
  let pieces: [Piece]

  /// - Parameters:
  ///   - pattern: with at least one conversion.
  ///   - civilTime: the zone of the times in names.
  /// - Throws: `invalidParameter` if a conversion is unknown or puts a slash into the name, if a folder would have no
  ///   name of its own, or if all parts would have one name.
  public init(_ pattern: String, in civilTime: CivilTime = .local) throws(AudioError) {
    self.pattern = pattern
    self.civilTime = civilTime
    pieces = try Self.pieces(of: pattern)
    let varies = pieces.contains { if case .text = $0 { false } else { true } }
    guard varies else {
      throw Self.error(
        pattern, "all parts would have the same name",
        advice: "put %03d into it for their number, or %H%M%S for the time")
    }
    if let day = Self.dayForNumber(in: pieces) {
      throw Self.error(
        pattern,
        "'\(day)' is the day of the month, and all parts of a day would have the same name",
        advice: "write %04d for the part's number, or %F for the whole date")
    }
    let folders = path(number: 0, time: 0).split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst(fixedFolders)
    guard folders.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw Self.error(
        pattern, "a folder or file behind the first conversion would have no name of its own",
        advice: "write it like %Y/%m/%d/%H%M%S.wav")
    }
  }

  /// Whether a pattern is refused because it has the day of the month in place of a number.
  public static func takesDayForNumber(_ pattern: String) -> Bool {
    guard let pieces = try? pieces(of: pattern) else { return false }
    return dayForNumber(in: pieces) != nil
  }

  /// The day of the month if no number, year or hour stands beside it: other programs number by `%d`.
  private static func dayForNumber(in pieces: [Piece]) -> String? {
    var day: String?
    for piece in pieces {
      switch piece {
      case .text: continue
      case .number: return nil
      case .time(let conversion):
        if let letter = conversion.last, "cCFgGHIklrRsTXyY".contains(letter) { return nil }
        if conversion.last == "d" { day = conversion }
      }
    }
    return day
  }

  /// Whether names have the time at which their parts begin.
  public var haveTimes: Bool { pieces.contains { if case .time = $0 { true } else { false } } }

  /// Whether parts that begin at two times, in seconds since 1970, have different names.
  func differ(at one: Int, and other: Int) -> Bool {
    path(number: 0, time: one) != path(number: 0, time: other)
  }

  var haveNumbers: Bool { pieces.contains { if case .number = $0 { true } else { false } } }

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

  /// The number of folders in front of the first conversion. They must exist.
  var fixedFolders: Int {
    guard case .text(let text) = pieces.first else { return 0 }
    return text.utf8.count { $0 == UInt8(ascii: "/") }
  }

  /// The path of a part.
  ///
  /// - Parameters:
  ///   - number: its number, from 0.
  ///   - time: when it begins, in seconds since 1970 in UTC.
  public func path(number: Int, time: Int) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .number(let digits): number.padded(to: digits)
      case .time(let conversion):
        String(civilTime.text(conversion, at: time).map { $0 == "/" ? "-" : $0 })
      }
    }.joined()
  }

  private static func error(_ pattern: String, _ reason: String, advice: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use the file name", pattern, because: reason, advice: advice)
  }

  /// The conversions of glibc's `strftime`, without line breaks and tabs.
  private static let conversions = Set("aAbBcCdeFgGhHIjklmMpPrRsSTuUVwWxXyYzZ")
  private static let flags = Set("_-0^#")

  private static func pieces(of pattern: String) throws(AudioError) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        text.append("%")
        continue
      }
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
      pieces.append(try conversion(&rest, in: pattern))
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    return pieces
  }

  /// The conversion behind a percent sign: flags, a width, `E` or `O`, and a letter.
  private static func conversion(
    _ rest: inout Substring, in pattern: String
  ) throws(AudioError) -> Piece {
    let flags = rest.prefix { Self.flags.contains($0) }
    rest.removeFirst(flags.count)
    let width = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(width.count)
    var modifier = ""
    if let first = rest.first, "EO".contains(first) {
      modifier = String(first)
      rest.removeFirst()
    }
    let letter = rest.popFirst().map(String.init) ?? ""
    let whole = "%\(flags)\(width)\(modifier)\(letter)"
    guard width.count <= 2 else {
      throw error(pattern, "'\(whole)' is too wide", advice: "a width has at most two digits")
    }
    if flags == "0", let digits = Int(width), letter == "d", modifier.isEmpty {
      return .number(digits: digits)
    }
    guard letter.count == 1, letter.allSatisfy({ conversions.contains($0) }) else {
      throw error(
        pattern, "'\(whole)' means nothing",
        advice: "write %03d for the part's number, %F or %H%M%S for the time, %% for a percent sign"
      )
    }
    guard !CivilTime.utc.text(whole, at: 0).contains("/") else {
      throw error(pattern, "'\(whole)' puts a slash into the name", advice: "write %F for the date")
    }
    return .time(whole)
  }
}
