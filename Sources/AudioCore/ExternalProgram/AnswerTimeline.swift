/// Where in the stream the samples belong that a program gives back, when not all of the stream was
/// handed to it. All counts in samples per channel.
struct AnswerTimeline {
  private struct Gap {
    /// The number of the answer that it precedes.
    let answer: Int64
    var length: Int64
  }

  /// The place in the stream of the next answer.
  private(set) var position: Int64 = 0
  private var next: Int64 = 0
  private var gaps: [Gap] = []

  /// A piece of the stream was not handed to the program, after `sent` that were.
  mutating func skip(_ length: Int64, after sent: Int64) {
    if let last = gaps.last, last.answer == sent {
      gaps[gaps.count - 1].length += length
    } else {
      gaps.append(Gap(answer: sent, length: length))
    }
    passGap()
  }

  /// How many answers from the next one on follow each other in the stream without a gap; at least 1.
  var run: Int64 { (gaps.first?.answer ?? .max) - next }

  /// The next `count` answers, at most ``run``, were taken.
  mutating func take(_ count: Int64) {
    precondition(count <= run)
    next += count
    position += count
    passGap()
  }

  private mutating func passGap() {
    guard let first = gaps.first, first.answer == next else { return }
    position += first.length
    gaps.removeFirst()
  }
}
