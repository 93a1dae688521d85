// SPDX-License-Identifier: Apache-2.0
/// An observer that keeps all its frames and runs a given edit.
package final class RecordingObserver<Sample: FrameSample>: PlaybackObserver, RecordObserver,
  MixedObserver, BeforeMixingObserver
{
  package let positions: ObservationPositions
  private let asked: FrameParameters
  private let answer: Bool
  private let edit: (inout MutableSpan<Sample>) -> Void
  package private(set) var frames: [AudioFrameCopy<Sample>] = []
  package private(set) var visited: [ObservationPosition] = []

  package init(
    _ positions: ObservationPositions, _ asked: FrameParameters = FrameParameters(),
    answer: Bool = true,
    edit: @escaping (inout MutableSpan<Sample>) -> Void = { _ in }
  ) {
    self.positions = positions
    self.asked = asked
    self.answer = answer
    self.edit = edit
  }

  /// Returns all samples of `source`, in order.
  package func samples(from source: SourceID? = nil) -> [Sample] {
    frames.filter { source == nil || $0.source == source }.flatMap { $0.samples }
  }

  package func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  package func record(_ frame: inout AudioFrame<Sample>) -> Bool { take(&frame, .record) }
  package func playback(_ frame: inout AudioFrame<Sample>) -> Bool { take(&frame, .playback) }
  package func mixed(_ frame: inout AudioFrame<Sample>) -> Bool { take(&frame, .mixed) }

  package func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceKey) -> Bool {
    take(&frame, .beforeMixing)
  }

  private func take(_ frame: inout AudioFrame<Sample>, _ position: ObservationPosition) -> Bool {
    frames.append(frame.copy())
    visited.append(position)
    edit(&frame.samples)
    return answer
  }
}
