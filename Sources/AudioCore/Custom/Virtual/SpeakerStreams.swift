// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The readers of a virtual speaker: made by the program's threads, filled on the session thread.
final class SpeakerStreams: Sendable {
  let format: StreamFormat
  let mixed = PullReader(name: "virtual speaker")
  let shared: PullReader
  /// The capacity of each ring in front of the mix, in samples per channel.
  private let capacity: Int
  private let state = Mutex(State())
  /// Grows with every new reader, so the session thread takes the lock only then.
  private let generation = Atomic(0)

  private struct State {
    var readers: [SourceKey: PullReader] = [:]
    var seen: [SourceKey] = []
    var ending: StopReason?
  }

  /// - Parameter capacity: the capacity of the mixed stream's ring, in samples per channel.
  init(format: StreamFormat, capacity: Int) {
    self.format = format
    self.capacity = capacity + Self.longestLead(format)
    shared = PullReader(name: "virtual speaker, shared sources")
    shared.open(Self.makeLink(format, self.capacity))
  }

  /// The maximum lead of a source over the mix, in samples per channel: a block on either side of a conversion from 8
  /// kHz mono lasts 2 s, rounded up for the smaller blocks around it.
  static func longestLead(_ format: StreamFormat) -> Int {
    max(5 * format.sampleRate, 3 * BlockSize.samplesPerChannel(format))
  }

  var seen: [SourceKey] { state.withLock { $0.seen } }

  var currentGeneration: Int { generation.load(ordering: .acquiring) }

  /// Any thread.
  func reader(for source: SourceKey) -> PullReader {
    state.withLock { state in
      if let reader = state.readers[source] { return reader }
      let reader = PullReader(name: "virtual speaker, source \(source)")
      let link = Self.makeLink(format, capacity)
      if let ending = state.ending { link.end(ending) }
      reader.open(link)
      state.readers[source] = reader
      generation.wrappingAdd(1, ordering: .releasing)
      return reader
    }
  }

  /// Session thread only, at the first frame of `source` and after a new reader.
  func link(of source: SourceKey) -> PullLink? {
    state.withLock { state in
      if !state.seen.contains(source) { state.seen.append(source) }
      return state.readers[source]?.link
    }
  }

  /// Session thread only; the first call counts.
  func end(_ reason: StopReason) {
    shared.link?.end(reason)
    state.withLock { state in
      if state.ending != nil { return }
      state.ending = reason
      for reader in state.readers.values { reader.link?.end(reason) }
    }
  }

  private static func makeLink(_ format: StreamFormat, _ capacity: Int) -> PullLink {
    PullLink(format: format, precision: .single, capacity: capacity, wakeup: nil)
  }
}

/// The playback sink of a virtual speaker; its other streams end with the mix.
final class SpeakerSink: WrappingSink {
  let sink: any AudioSink
  private let streams: SpeakerStreams

  /// - Parameter sink: a sink with the format of `streams`.
  init(_ sink: PullSink, _ streams: SpeakerStreams) {
    self.sink = sink
    self.streams = streams
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    streams.end(reason)
    try sink.stop(reason)
  }

  func dispose() {
    streams.end(.abandoned)
    sink.dispose()
  }
}

/// Copies frames to the streams of a virtual speaker: those of each source on entering the sum, and those of the shared
/// sources' sum. Session thread only.
final class SpeakerObserver: BeforeMixingObserver, SharedObserver, TraitedObserver {
  private let streams: SpeakerStreams
  private var links: [SourceKey: PullLink?] = [:]
  private var generation = -1

  init(_ streams: SpeakerStreams) { self.streams = streams }

  var traits: ObserverTraits { [.hasOwnShape, .standsLast] }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(
      sampleRate: streams.format.sampleRate, channelCount: streams.format.channelCount)
  }

  func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceKey) -> Bool {
    let current = streams.currentGeneration
    if current != generation {
      links.removeAll(keepingCapacity: true)
      generation = current
    }
    if links[source] == nil { links.updateValue(streams.link(of: source), forKey: source) }
    if let link = links[source] ?? nil { _ = link.write(frame.samples.span) }
    return true
  }

  func shared(_ frame: inout AudioFrame<Float>) {
    _ = streams.shared.link?.write(frame.samples.span)
  }
}
