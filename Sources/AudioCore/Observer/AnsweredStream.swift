// SPDX-License-Identifier: Apache-2.0
/// A stream that waits for answers: what somebody gives back takes the place of what it was given.
///
/// Every sample keeps its place. What has no answer when it is due goes on as it was, and its answer is
/// dropped when it comes. All counts are in samples per channel. Session thread only.
package final class AnsweredStream<Sample: AudioSample> {
  /// What was given back and has not gone on.
  package let answers: SampleQueue<Sample>
  private let channelCount: Int
  /// What came and has not gone on; nil where silence goes on instead.
  private let originals: SampleQueue<Sample>?
  private var timeline = AnswerTimeline()
  /// Samples that came, and that went on.
  package private(set) var arrived: Int64 = 0
  package private(set) var emitted: Int64 = 0
  /// Those that went on without an answer.
  package private(set) var late: Int64 = 0
  /// Answers that were dropped.
  package private(set) var discarded: Int64 = 0

  /// - Parameters:
  ///   - answers: where the answers are put, in the order of what was handed over.
  ///   - keepsOriginals: whether what has no answer goes on as it was, or as silence.
  package init(
    channelCount: Int, answers: SampleQueue<Sample> = SampleQueue(), keepsOriginals: Bool = true
  ) {
    self.channelCount = channelCount
    self.answers = answers
    originals = keepsOriginals ? SampleQueue() : nil
  }

  /// Answers that wait.
  package var readyCount: Int64 { Int64(answers.count / channelCount) }

  /// The next samples of the stream.
  package func take(_ samples: Span<Sample>) {
    arrived += Int64(samples.count / channelCount)
    originals?.append(samples)
  }

  /// The next `count` samples were not handed over, after `sent` that were.
  package func skip(_ count: Int64, after sent: Int64) { timeline.skip(count, after: sent) }

  /// Whether a sample in front of `end` that has not gone on may still get its answer.
  package func isAnswerMissing(upTo end: Int64) -> Bool {
    timeline.position + readyCount < min(end, arrived)
  }

  /// Appends to `output` what is due: all up to `due`.
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

  /// Drops all answers, which nobody will want.
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

/// Where in the stream the samples belong that somebody gives back, when not all of the stream was handed
/// over. All counts in samples per channel.
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

  /// A piece of the stream was not handed over, after `sent` that were.
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

extension SampleQueue {
  /// Moves the `sampleCount` oldest samples to the end of `other`.
  package func move(_ sampleCount: Int, to other: SampleQueue<Sample>) {
    other.append(readable.extracting(first: sampleCount))
    consume(sampleCount)
  }
}
