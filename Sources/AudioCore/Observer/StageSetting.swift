// SPDX-License-Identifier: Apache-2.0
/// An observer in one stream, as planned: its mode, shape and latency there.
package struct PlannedObserver {
  let observer: RegisteredObserver
  let mode: ObserverMode
  let shape: FrameShape
  /// The delay of the observer's output behind its input, in samples per channel.
  let latency: Int
  /// The layout of the channels that the observer gets; nil if unknown.
  var channelLayout: Metadata.ChannelLayout?
  /// Whether frames of another source come before its own.
  var isLed = false

  /// Whether the observer may edit the stream.
  var edits: Bool { mode != .readOnly }

  /// The longest delay of a stream that it may edit; zero in mode read-only.
  var heldBack: Duration {
    guard edits else { return .zero }
    let own = Duration.samples(observer.holdBack(shape), at: shape.format.sampleRate)
    // A frame of the leader may be as long as its own.
    return own * (isLed ? 2 : 1) + .samples(latency, at: shape.format.sampleRate)
  }

  /// Whether the observer's frames are unchanged by `other`.
  func isSettled(as other: PlannedObserver) -> Bool {
    mode == other.mode && shape == other.shape && latency == other.latency
  }
}

/// The place of a stage in a stream.
struct StagePlace {
  var format: StreamFormat
  /// The layout of the channels there; nil = the usual one.
  var layout: Metadata.ChannelLayout?
  /// The position of the next sample since the start of the session, in samples per channel of `clock`.
  var start: (samples: Int64, clock: Int)
}

/// The things of which an observer's stage is made: the observer, its place, and the stream that it is told of.
package struct StageSetting<Sample: AudioSample> {
  let planned: PlannedObserver
  let place: StagePlace
  package let stream: ObservedStream
  package let filters: ResamplerFilters<Sample>
  /// The samples of the loudspeaker, for a ``ReferencedObserver``.
  var played: (any PlayedSamples)?

  package var mode: ObserverMode { planned.mode }
  package var shape: FrameShape { planned.shape }

  /// The format of the stream in front of the observer.
  package var inputFormat: StreamFormat { place.format }
  /// The layout of the channels in front of the observer; nil = the usual one.
  package var inputLayout: Metadata.ChannelLayout? { place.layout }
  /// The format of the stream behind the observer.
  package var outputFormat: StreamFormat { planned.edits ? shape.format : inputFormat }

  /// The position of the first frame, in the observer's own rate, to the nearest sample.
  package var firstPosition: Int64 {
    AudioTime.nearest(place.start.samples, from: place.start.clock, to: shape.format.sampleRate)
  }

  /// The observer as long as it is registered.
  var hold: ObserverHold { planned.observer.hold }
  /// Whether the observer is still registered.
  package var isActive: Bool { hold.isActive }

  /// Adds to the statistics of the observer's calls.
  func count(_ count: (inout ObserverStatistics) -> Void) {
    stream.registration.add(count, at: stream.position)
  }
}
