// SPDX-License-Identifier: Apache-2.0
/// A way to call an observer with the frames of one position. It does not hold the observer, but gets it with every
/// call.
protocol FrameReceiving {
  /// Makes the stage that calls the observer with the frames of one stream.
  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>
}

/// Calls a function of an observer with frames of its own sample type.
struct FrameReceiver<Observer, FrameType: FrameSample>: FrameReceiving {
  private let receive: (Observer, inout AudioFrame<FrameType>) -> Bool

  init(_ receive: @escaping (Observer, inout AudioFrame<FrameType>) -> Bool) {
    self.receive = receive
  }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    try FrameStage<FrameType, Sample>(setting, receive)
  }
}

/// Calls an observer with frames of the sample type in which the session computes.
struct GenericReceiver<Observer: GenericObserver>: FrameReceiving {
  let position: ObservationPosition

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    let position = position
    return try FrameStage<Sample, Sample>(setting) { (observer: Observer, frame) in
      observer.observe(&frame, at: position)
    }
  }
}

extension UniformObserver {
  func receiver(at position: ObservationPosition) -> any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in
      observer.observe(&frame, at: position)
    }
  }
}

extension GenericObserver {
  func receiver(at position: ObservationPosition) -> any FrameReceiving {
    GenericReceiver<Self>(position: position)
  }
}
