// SPDX-License-Identifier: Apache-2.0
/// A stream that waits for answers: an answer replaces the samples that were handed over.
///
/// Every sample keeps its place. Samples without an answer when they are due go on unchanged, and a late answer is
/// dropped. All counts are in samples per channel. Session thread only.
package final class RoundTripStream<Sample: AudioSample> {
  /// The answers that have not gone on.
  package let answers: SampleQueue<Sample>
  private let channelCount: Int
  /// The samples that have not gone on; nil if silence replaces them.
  private let originals: SampleQueue<Sample>?
  private var timeline = AnswerTimeline()
  /// The samples that came, and those that went on.
  package private(set) var arrived: Int64 = 0
  package private(set) var emitted: Int64 = 0
  /// The samples that went on without an answer.
  package private(set) var late: Int64 = 0
  /// The answers that were dropped.
  package private(set) var discarded: Int64 = 0

  /// - Parameters:
  ///   - answers: the queue of answers, in the order of the samples handed over.
  ///   - keepsOriginals: whether samples without an answer go on unchanged, or as silence.
  package init(
    channelCount: Int, answers: SampleQueue<Sample> = SampleQueue(), keepsOriginals: Bool = true
  ) {
    self.channelCount = channelCount
    self.answers = answers
    originals = keepsOriginals ? SampleQueue() : nil
  }

  /// The answers in the queue.
  package var readyCount: Int64 { Int64(answers.count / channelCount) }

  /// Takes the next samples of the stream.
  package func take(_ samples: Span<Sample>) {
    arrived += Int64(samples.count / channelCount)
    originals?.append(samples)
  }

  /// Records that the next `count` samples were not handed over, after `sent` that were.
  package func skip(_ count: Int64, after sent: Int64) { timeline.skip(count, after: sent) }

  /// Whether a sample in front of `end` still waits for its answer.
  package func isAnswerMissing(upTo end: Int64) -> Bool {
    timeline.position + readyCount < min(end, arrived)
  }

  /// Appends all samples up to `due` to `output`.
  package func emit(upTo due: Int64, into output: SampleQueue<Sample>) {
    dropLateAnswers()
    while emitted < due {
      let ready = min(readyCount, timeline.run)
      if ready > 0, timeline.position == emitted {
        let count = min(ready, due - emitted)
        answers.move(Int(count) * channelCount, to: output)
        originals?.consume(Int(count) * channelCount)
        timeline.take(count)
        emitted += count
      } else {
        let next = ready > 0 ? min(due, timeline.position) : due
        let count = next - emitted
        if let originals {
          originals.move(Int(count) * channelCount, to: output)
        } else {
          output.appendSilence(Int(count) * channelCount)
        }
        late += count
        emitted += count
      }
    }
  }

  package func dropAnswers() { drop(Int(readyCount)) }

  private func dropLateAnswers() {
    while !answers.isEmpty, timeline.position < emitted {
      let count = min(readyCount, timeline.run, emitted - timeline.position)
      drop(Int(count))
      timeline.take(count)
    }
  }

  private func drop(_ count: Int) {
    answers.consume(count * channelCount)
    discarded += Int64(count)
  }
}

/// The positions of answers in a stream that was handed over with gaps. All counts in samples per channel.
struct AnswerTimeline {
  private struct Gap {
    /// The number of the answer behind the gap.
    let answer: Int64
    var length: Int64
  }

  /// The position of the next answer in the stream.
  private(set) var position: Int64 = 0
  private var next: Int64 = 0
  private var gaps: [Gap] = []

  /// Records that `length` samples were not handed over, after `sent` that were.
  mutating func skip(_ length: Int64, after sent: Int64) {
    if let last = gaps.last, last.answer == sent {
      gaps[gaps.count - 1].length += length
    } else {
      gaps.append(Gap(answer: sent, length: length))
    }
    passGap()
  }

  /// The answers from the next one up to the first gap; at least 1.
  var run: Int64 { (gaps.first?.answer ?? .max) - next }

  /// Takes the next `count` answers, at most ``run``.
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

extension SampleQueue {
  /// Moves the `sampleCount` oldest samples to the end of `other`.
  package func move(_ sampleCount: Int, to other: SampleQueue<Sample>) {
    other.append(readable.extracting(first: sampleCount))
    consume(sampleCount)
  }
}
