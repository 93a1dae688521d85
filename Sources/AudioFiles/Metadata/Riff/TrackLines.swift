// SPDX-License-Identifier: Apache-2.0
/// The names of channels in the description of a recording, a line for each: `sTRK1=Boom`.
///
/// Source: the user guides of Sound Devices' recorders (`sTRK1`), and of Zoom's (`zTRK1`), on the metadata of `bext`. A
/// recorder numbers its own tracks. If a file has fewer channels than that, the lines are theirs in order.
struct TrackLines {
  /// For each channel the former ones in it, from 0; empty if they are unknown.
  let origins: [[Int]]
  /// The number of former channels.
  let count: Int
  /// Whether a former channel is in a sum only.
  let areMixed: Bool

  /// The description with the lines of the channels.
  ///
  /// - Returns: nil if it names no channel; and whether the name of a channel is lost that is still heard.
  func changed(_ description: String) -> (text: String, isLossy: Bool)? {
    let lines = description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let named = lines.indices.compactMap { index in
      Self.number(lines[index]).map { (index, number: $0) }
    }
    guard let first = named.first?.0 else { return nil }
    let inOrder = named.sorted { ($0.number, $0.0) < ($1.number, $1.0) }
    let areNumbers = inOrder.allSatisfy { $0.number >= 1 && $0.number <= count }
    let areKnown = areNumbers || inOrder.count == count
    let ofChannels = (areKnown ? inOrder : []).enumerated().map { index, named in
      (channel: areNumbers ? named.number - 1 : index, line: lines[named.0])
    }
    let moved = origins.enumerated().flatMap { index, former in
      ofChannels.filter { former == [$0.channel] }.map {
        Self.line($0.line, renumbered: index + 1)
      }
    }
    let places = Set(named.map(\.0))
    var kept = lines[..<first].map { String($0) } + moved
    kept += lines.indices.dropFirst(first).filter { !places.contains($0) }.map { String(lines[$0]) }
    return (kept.joined(separator: "\r\n"), areMixed || !areKnown)
  }

  /// The number of the channel that a line names: a small letter, `TRK`, the number and `=`.
  private static func number(_ line: Substring) -> Int? {
    let word = line.prefix { $0 != "=" }
    guard word.endIndex < line.endIndex, word.first?.isLowercase == true,
      word.dropFirst().hasPrefix("TRK")
    else { return nil }
    return UInt16(word.dropFirst(4)).map { Int($0) }
  }

  private static func line(_ line: Substring, renumbered number: Int) -> String {
    "\(line.prefix(4))\(number)\(line.drop { $0 != "=" })"
  }
}
