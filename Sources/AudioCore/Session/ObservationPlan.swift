// SPDX-License-Identifier: Apache-2.0
/// The observers at one position, in order, with their shapes.
struct ObservationPlan {
  let position: ObservationPosition
  private(set) var observers: [PlannedObserver] = []
  /// The format of the stream behind the last observer.
  private(set) var outputFormat: StreamFormat
  private let native: StreamFormat

  /// - Parameters:
  ///   - source: the source of the stream; nil for a sum.
  ///   - except: the source that the sum leaves out; nil if it leaves out none.
  ///   - parameters: the session's parameters for observers.
  ///   - carried: returns the metadata of the source; nil without any.
  /// - Throws: `invalidParameter` if an observer's parameters are illegal at this position.
  init(
    _ position: ObservationPosition, of source: SourceKey?, except: SourceKey? = nil,
    native: StreamFormat,
    observers: [RegisteredObserver], session parameters: FrameParameters?,
    carried: () -> Metadata? = { nil }
  ) throws(AudioError) {
    self.position = position
    self.native = native
    outputFormat = native
    let all = observers.filter { $0.observes(position, of: source, except: except) }
    let observing = all.filter { !$0.standsLast } + all.filter(\.standsLast)
    var metadata = observing.isEmpty ? nil : carried()
    for observer in observing {
      var planned = try observer.planned(
        at: position, native: outputFormat, session: parameters)
      let format = planned.shape.format
      let keepsChannels = format.channelCount == outputFormat.channelCount
      if keepsChannels || observer.traits.contains(.mapsChannels) {
        planned.channelLayout = metadata?.channelLayout
      }
      planned.isLed = position == .beforeMixing && source.flatMap { observer.leader(of: $0) } != nil
      self.observers.append(planned)
      guard planned.edits else { continue }
      if !keepsChannels { metadata?.channelLayout = nil }
      metadata = metadata.map { observer.adapt($0, at: native.sampleRate) }
      outputFormat = format
    }
  }
}

extension ObservationPlan {
  private var editors: [PlannedObserver] { observers.filter(\.edits) }

  /// Whether an observer may edit the stream.
  var edits: Bool { !editors.isEmpty }

  /// Whether an observer sees another source first.
  var isLed: Bool { observers.contains { $0.isLed } }

  /// The longest delay of the stream in observers that may edit it.
  var heldBackByObservers: Duration { observers.reduce(.zero) { $0 + $1.heldBack } }

  /// Returns the longest delay of the stream in those observers and in the conversions to their formats.
  func heldBack(_ quality: ResamplerQuality) -> Duration {
    var rate = native.sampleRate
    return editors.reduce(heldBackByObservers) { total, planned in
      defer { rate = planned.shape.format.sampleRate }
      return total + quality.delay(from: rate, to: planned.shape.format.sampleRate)
    }
  }
}
