// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The parts of a recording in the order of their times. Where clocks were put back over the time of a part, its
/// neighbours decide which of two moments is meant.
struct PartSequence {
  /// In order, with their places among the given ones.
  private(set) var files: [(place: Int, file: RecordedFile)] = []
  private(set) var notes: [String] = []

  /// Parts this far away are no neighbours, in nanoseconds.
  private static let vicinity: Int64 = 2 * 86_400 * 1_000_000_000

  init(_ all: [RecordedFile]) {
    var open = all.indices.filter { all[$0].times.count > 1 }.sorted {
      Self.precedes(all[$0], all[$1])
    }
    files = all.indices.filter { all[$0].times.count == 1 }.map { ($0, all[$0]) }
    let ambiguous = open
    var near = files.map(\.file).filter { file in
      ambiguous.contains { abs(all[$0].time - file.time) < Self.vicinity }
    }
    for (place, time) in Self.twins(among: open, of: all) {
      open.removeAll { $0 == place }
      var file = all[place]
      file.time = time
      near.append(file)
      files.append((place, file))
    }
    while !open.isEmpty {
      let (index, time) = Self.next(among: open.map { all[$0] }, beside: near)
      let place = open.remove(at: index)
      var file = all[place]
      file.time = time
      near.append(file)
      files.append((place, file))
    }
    for place in ambiguous {
      guard let file = files.first(where: { $0.place == place })?.file,
        let other = file.times.first(where: { $0 != file.time })
      else { continue }
      let others = near.filter { $0.path != file.path }
      guard let met = Self.neighbours(of: file, at: other, others),
        met >= Self.neighbours(of: file, at: file.time, others) ?? 0
      else { continue }
      notes.append(
        "'\(file.path)' does not say whether it began at \(file.description) or at "
          + "\(file.civilTime.description(of: other)); the first is taken")
    }
    files.sort { $0.file.time < $1.file.time }
  }

  /// The moments of parts of which two show one time: the earlier one began at the first of its two moments.
  ///
  /// - Parameter open: the places of parts with two moments, in order.
  private static func twins(
    among open: [Int], of all: [RecordedFile]
  ) -> [(place: Int, time: Int64)] {
    var found: [(Int, Int64)] = []
    for (one, other) in zip(open, open.dropFirst()) {
      let isTaken = found.last?.0 == one
      let distance = all[other].stated.wall - all[one].stated.wall
      guard !isTaken, distance <= Self.mostApart, all[one].duration > Self.mostApart,
        let first = all[one].times.first, let second = all[other].times.last
      else { continue }
      found += [(one, first), (other, second)]
    }
    return found
  }

  /// A recorder names the second of two parts of one second by the next one; in nanoseconds.
  private static let mostApart: Int64 = 2_000_000_000

  /// The part to settle next, and its moment: the one that meets most neighbours, and lies over none.
  private static func next(
    among open: [RecordedFile], beside near: [RecordedFile]
  ) -> (index: Int, time: Int64) {
    var best: (index: Int, time: Int64, met: Int)?
    for (index, file) in open.enumerated() {
      for time in file.times {
        guard let met = neighbours(of: file, at: time, near) else { continue }
        if let known = best, (known.met, time) >= (met, known.time) { continue }
        best = (index, time, met)
      }
    }
    return best.map { ($0.index, $0.time) } ?? (0, open[0].time)
  }

  /// The number of parts that a part meets directly if it began at a moment. Nil if it lies over one.
  private static func neighbours(
    of file: RecordedFile, at time: Int64, _ others: [RecordedFile]
  ) -> Int? {
    var met = 0
    let end = file.end(from: time)
    for other in others {
      let (before, behind) = (file.tolerance(behind: other), other.tolerance(behind: file))
      if abs(time - other.end) <= before || abs(other.time - end) <= behind {
        met += 1
      } else if time < other.end, other.time < end {
        return nil
      }
    }
    return met
  }

  /// Whether the first is the earlier of two parts that show one time: a recorder puts a number behind the later name.
  private static func precedes(_ one: RecordedFile, _ other: RecordedFile) -> Bool {
    func rank(_ file: RecordedFile) -> (Int64, Int, String) {
      let stem = Pathname(bytes: Pathname(file.path).stem).text
      return (file.stated.wall, stem.utf8.count, stem)
    }
    return rank(one) < rank(other)
  }
}
