/// How long parts of one duration are, in samples: rounded so that the ends of many in a row do not
/// wander off.
struct PartDurations {
  private let duration: TimePosition
  private let sampleRate: Int
  /// Parts of this duration so far.
  private var number = 0
  /// The length of the present one.
  private var length: Int64

  /// - Throws: `invalidParameter` where a part would have no sample.
  init(_ duration: TimePosition, sampleRate: Int) throws(AudioError) {
    self.duration = duration
    self.sampleRate = sampleRate
    length = try duration.length(at: sampleRate, as: "part length")
    guard length > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "use part length", "\(duration)",
        because: "it is shorter than a sample")
    }
  }

  func remaining(after samplesPerChannel: Int64) -> Int64 { max(0, length - samplesPerChannel) }

  /// Those of the part behind a whole one.
  var next: PartDurations {
    var next = self
    next.number += 1
    next.length = end(of: next.number) - end(of: number)
    return next
  }

  /// Those of the part behind one that ended early.
  var restarted: PartDurations {
    var first = self
    first.number = 0
    first.length = end(of: 0)
    return first
  }

  /// Where the part ends, counted from the beginning of the first.
  private func end(of number: Int) -> Int64 {
    switch duration {
    case .samples(let count): count * Int64(number + 1)
    case .time(let time): TimePosition.time(time * (number + 1)).samples(at: sampleRate)
    }
  }
}
