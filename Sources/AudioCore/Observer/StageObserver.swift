// SPDX-License-Identifier: Apache-2.0
/// An observer that makes its own stages instead of taking frames.
package protocol StageObserver: AudioObserver {
  /// The delay of a stream that the observer may edit, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>

  /// Returns `metadata`, of a source of `sampleRate` hertz, adapted to the observer's output; unchanged by default.
  func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata
}

extension StageObserver {
  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata { metadata }
}

/// The stage of one observer in one stream.
package protocol ObservingStage<Sample>: StreamStage {
  /// Called once, before the first sample of the stream passes.
  func begin() throws(AudioError)

  /// Whether the observer is still registered. If not, the session removes the stage from a running stream.
  var isActive: Bool { get }

  /// The position of the observer's next sample, in samples per channel since the start of the session at its frames'
  /// rate.
  var nextPosition: Int64 { get }

  /// The position of the stage's next output in that unit: ``nextPosition``, unless the stage has a latency.
  var outputPosition: Int64 { get }

  /// Begins the end without waiting. The session calls this for all ending stages before it waits for the first.
  func beginEnd(_ reason: StopReason)

  /// Continues the end without waiting.
  ///
  /// - Returns: whether ``end(_:)`` returns without waiting.
  func advanceEnd() -> Bool

  /// Called once and last, also after a failure, if `begin` returned.
  ///
  /// Before that, a stage of frames has told its observer the end in `finish`, if the stream came to its end. Only this
  /// call ends a joined program, which may take long.
  func end(_ reason: StopReason) throws(AudioError)
}

extension ObservingStage {
  package var outputPosition: Int64 { nextPosition }
  package func beginEnd(_ reason: StopReason) {}
  package func advanceEnd() -> Bool { true }
}
