// SPDX-License-Identifier: Apache-2.0
/// The stream of one sender up to its present end: it gives packets in the order of their numbers, each at its place, and
/// silence between them.
struct StreamPlaces {
  /// The largest step of numbers that needs no proof by timestamps.
  static let longestStride: Int64 = 100

  /// Nil before the first packet.
  private(set) var history: SequenceHistory?
  private(set) var line: TimestampLine
  /// The end of the stream so far, in samples per channel.
  private(set) var end: Int64
  /// The number of the packet that ``end`` follows. Nil before the first one.
  private(set) var lastGiven: Int64?
  /// The samples per channel of that packet, and whether it had no sound.
  private var lastCount = 0
  private var isPaused = false
  /// Packets that this machine has dropped, and whose places are not given yet.
  private var overflowed = 0

  /// - Parameter position: of the first packet.
  init(_ payload: PayloadFormat, _ first: RTPPacket, at position: Int64) {
    line = TimestampLine(payload, first, at: position)
    end = position
  }

  /// Notes the number of a packet.
  ///
  /// - Returns: the unwrapped number. Nil if it came before.
  mutating func register(_ sequence: UInt16, _ counts: inout ReceptionCounts) -> Int64? {
    guard let history else {
      history = SequenceHistory(sequence)
      return history?.highest
    }
    let number = history.unwrapped(sequence)
    if history.contains(number) {
      if history.highest - number >= SequenceHistory.length {
        counts.late += 1
      } else {
        counts.duplicated += 1
      }
      return nil
    }
    if number < history.highest { counts.reordered += 1 }
    self.history?.insert(number)
    return number
  }

  /// Notes how the packet with the highest number follows the one before.
  mutating func follow(
    _ number: Int64, _ timestamp: Int64, elapsed: Int64, behind count: Int
  ) {
    if number == line.latest.number + 1, count > 0 {
      line.note(
        step: line.samples(timestamp - line.latest.timestamp), elapsed: elapsed, count: count)
    }
    line.latest = (timestamp, number)
  }

  /// Counts positions from another sample.
  mutating func shift(by count: Int64) { line.shift(by: count) }

  /// Goes on later, behind silence.
  mutating func skip(_ count: Int64) {
    end += count
    line.shift(by: count)
  }

  mutating func noteOverflow(_ count: Int) { overflowed += count }

  /// How many packets between the last one that was given and this one did not come.
  private func missing(before number: Int64) -> Int64 {
    guard let lastGiven, let history, number > lastGiven + 1 else { return 0 }
    if number - lastGiven > Int64(SequenceHistory.length) { return number - lastGiven - 1 }
    return (lastGiven + 1..<number).reduce(0) { history.contains($1) ? $0 : $0 + 1 }
  }

  /// Whether no packet before this one is missing.
  func isNext(_ packet: HeldPacket) -> Bool {
    if let lastGiven, missing(before: packet.number) == 0, packet.number > lastGiven { return true }
    return line.isFollowed && line.position(of: packet.timestamp) <= end
  }

  mutating func give(
    _ packet: HeldPacket, _ bytes: RawSpan, _ counts: inout ReceptionCounts,
    _ output: inout some ReceptionOutput
  ) {
    let missing = missing(before: packet.number)
    var place = TimestampLine.Place(
      position: line.isFollowed ? line.position(of: packet.timestamp) : end)
    if lastGiven != nil {
      place = line.place(
        packet.timestamp, end: end, missing: missing, length: lastCount,
        isSound: packet.count > 0)
    }
    if place.isCorrection { counts.corrected += 1 }
    if place.position > end {
      let length = place.position - end
      if missing > 0 {
        counts.lost += Int(missing)
        lose(missing, length, before: packet, &output)
      } else if place.isCorrection {
        output.appendGap(ReceptionGap(count: length, uncertainty: length))
      } else {
        output.appendSilence(length)
      }
      end = place.position
    }
    lastGiven = packet.number
    isPaused = packet.format == nil
    guard let format = packet.format else { return }
    let known = Int(min(end - place.position, Int64(packet.count)))
    if known > 0, known == packet.count { return }
    output.append(
      bytes,
      PayloadPart(format: format, count: packet.count, known: known, isMarked: packet.isMarked))
    end += Int64(packet.count - known)
    if packet.count > 0 { lastCount = packet.count }
  }

  /// Appends the silence of lost packets.
  private mutating func lose(
    _ missing: Int64, _ length: Int64, before packet: HeldPacket,
    _ output: inout some ReceptionOutput
  ) {
    let isOverflow = Int64(overflowed) >= missing
    overflowed = isOverflow ? overflowed - Int(missing) : 0
    let most = missing * Int64(lastCount)
    var gap = ReceptionGap(
      count: length, uncertainty: line.isFollowed ? 0 : Int64(lastCount), isOverflow: isOverflow)
    // At the edge of a pause it is unknown whether the lost packets had sound.
    guard isPaused || packet.format == nil, most < length else { return output.appendGap(gap) }
    gap.count = most
    gap.uncertainty = most
    if isPaused { output.appendSilence(length - most) }
    if most > 0 { output.appendGap(gap) }
    if !isPaused { output.appendSilence(length - most) }
  }

  /// Ends the stream before the first packet of another one, with silence for the time between. Another identifier may bring
  /// numbers and timestamps that go on.
  ///
  /// - Returns: the position of that packet.
  func end(
    before first: StreamCandidate.Packet, _ pace: SenderPace, _ output: inout some ReceptionOutput
  ) -> Int64 {
    let missing = history.map { $0.unwrapped(first.header.sequence) - $0.highest - 1 } ?? -1
    let stated = line.position(of: line.unwrapped(first.header.timestamp)) - end
    // Each missing packet is as long as the last one.
    let goesOn =
      line.isFollowed && (0...Self.longestStride).contains(missing)
      && abs(stated - missing * Int64(lastCount)) <= line.limit(lastCount)
    let gap = pace.gap(behind: end, stated: goesOn ? stated : nil, at: first.arrival)
    if gap.count > 0, gap.uncertainty == 0, missing == 0 {
      output.appendSilence(gap.count)
    } else if gap.count > 0 {
      output.appendGap(gap)
    }
    return end + gap.count
  }
}
