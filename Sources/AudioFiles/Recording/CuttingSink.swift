// SPDX-License-Identifier: Apache-2.0
/// Cuts a stream into parts of a limited length for another sink, at quiet places, with overlaps, or both.
///
/// Samples that may lie behind the next cut are held back: at most the length in which the quiet place is searched. The
/// cuts do not depend on the sizes of the blocks. Writing thread only.
package final class CuttingSink: AudioSink, ComposedSink {
  /// The length of a part, and the place of its end.
  package struct Cuts: Sendable, Hashable {
    /// The longest part, with its overlap.
    package var length: TimePosition
    /// The end of the longest part in which its quietest place is searched. Nil = each part has the full length.
    package var quiet: TimePosition?
    /// The end of a part with which the next one begins, too. Nil = none.
    package var overlap: TimePosition?

    package init(length: TimePosition, quiet: TimePosition? = nil, overlap: TimePosition? = nil) {
      self.length = length
      self.quiet = quiet
      self.overlap = overlap
    }
  }

  /// A part, in samples per channel of the stream.
  package struct Part: Sendable, Hashable {
    /// With its overlap.
    package var samples: Range<Int64>
    /// The samples that the part before it has, too.
    package var overlap: Int64
  }

  /// The length over which the level is measured.
  private static let quietLength = Duration.milliseconds(50)
  /// The steps in which it moves.
  private static let stepsPerQuietLength = 10

  private let sink: any AudioSink
  package var behind: any AudioSink { sink }
  private let cuts: Cuts
  private let onCut: (_ overlap: Int64) throws(AudioError) -> Void
  private let onPart: (Part) -> Void
  private var lengths = Lengths()
  private var held: (any HeldSamples)?
  /// The held samples per channel that are written already.
  private var history: Int64 = 0
  /// The position of the next sample of the stream.
  private var position: Int64 = 0
  /// The samples per channel of the part that are written, and those of them that are its overlap.
  private var (written, overlap): (Int64, Int64) = (0, 0)
  /// The wait of the next samples. Nil unless the stream has a clock.
  private var waited: Duration?

  /// In samples per channel.
  private struct Lengths {
    var (part, quiet, overlap, window): (Int64, Int64, Int64, Int64) = (1, 0, 0, 1)
    var (channelCount, sampleRate) = (1, 1)
  }

  /// - Parameters:
  ///   - sink: takes the parts.
  ///   - onCut: begins a new part, whose first samples are the last ones of the old part.
  ///   - onPart: called with each complete part.
  package init(
    _ sink: any AudioSink, _ cuts: Cuts,
    onCut: @escaping (_ overlap: Int64) throws(AudioError) -> Void,
    onPart: @escaping (Part) -> Void = { _ in }
  ) {
    self.sink = sink
    self.cuts = cuts
    self.onCut = onCut
    self.onPart = onPart
  }

  package var precision: SamplePrecision { sink.precision }
  package var pace: Pace { sink.pace }
  package var room: Int { .max }

  /// - Throws: the error of the other sink; `invalidParameter` if a part would be all overlap and quiet places.
  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    let rate = format.sampleRate
    lengths.part = try cuts.length.length(at: rate, as: "length of a part")
    lengths.quiet = try cuts.quiet?.length(at: rate, as: "quiet part") ?? 0
    lengths.overlap = try cuts.overlap?.length(at: rate, as: "overlap") ?? 0
    lengths.window = max(1, TimePosition.time(Self.quietLength).samples(at: rate))
    lengths.channelCount = format.channelCount
    lengths.sampleRate = rate
    guard lengths.overlap + lengths.quiet < lengths.part else {
      throw AudioError(
        .invalidParameter, cannot: "cut the stream", "",
        because: "the overlap and the search for a quiet place take a whole part",
        advice: "make the parts longer")
    }
    return format
  }

  package func start() throws(AudioError) { try sink.start() }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let held = held ?? Sample.precision.heldSamples
    self.held = held
    let channelCount = lengths.channelCount
    var done = 0
    while done < samples.count {
      if written + pending(held) == lengths.part {
        if try cut(held) == .readerGone { return .readerGone }
      }
      let rest = Int64((samples.count - done) / channelCount)
      let searchStart = lengths.part - lengths.quiet
      let isDirect = written < searchStart
      let count = Int(min(rest, (isDirect ? searchStart : lengths.part) - written - pending(held)))
      let block = samples.extracting(done..<done + count * channelCount)
      position += Int64(count)
      done += count * channelCount
      if isDirect {
        try tellWait()
        if try sink.write(block) == .readerGone { return .readerGone }
        written += Int64(count)
        remember(block, in: held)
      } else {
        held.keep(block)
      }
    }
    return .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished { try endPart() }
    try sink.stop(reason)
  }

  package func dispose() { sink.dispose() }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    switch notice {
    case .waited(let duration): waited = duration
    case .leftOut(upTo: let position):
      try endPart()
      self.position = position
    case .eventEnded: try endPart()
    case .idle: break
    }
    try sink.receive(notice)
  }

  /// Writes the samples that are held back. The next sample begins a part without an overlap.
  package func endPart() throws(AudioError) {
    guard let held else { return }
    if pending(held) > 0 { _ = try release(pending(held), of: held) }
    tellPart()
    held.removeAll()
    (history, written, overlap) = (0, 0, 0)
  }

  private func pending(_ held: any HeldSamples) -> Int64 {
    Int64(held.count / lengths.channelCount) - history
  }

  private func tellPart() {
    guard let held, written > 0 else { return }
    let end = position - pending(held)
    onPart(Part(samples: end - written..<end, overlap: overlap))
  }

  /// The samples that are held back have waited as long as they last.
  private func tellWait() throws(AudioError) {
    guard let waited, let held else { return }
    let late = Duration.seconds(Double(pending(held)) / Double(lengths.sampleRate))
    try sink.receive(.waited(waited + late))
  }

  /// Ends the part at the quietest place, and begins the next one.
  private func cut(_ held: any HeldSamples) throws(AudioError) -> SinkStatus {
    let place = lengths.quiet > 0 ? quietest(held) : 0
    if try release(place, of: held) == .readerGone { return .readerGone }
    tellPart()
    let repeated = min(lengths.overlap, history)
    try onCut(repeated)
    let end = Int(history) * lengths.channelCount
    let start = end - Int(repeated) * lengths.channelCount
    if repeated > 0, try held.write(start..<end, to: sink) == .readerGone { return .readerGone }
    written = repeated
    overlap = repeated
    // The search begins late in the part.
    let free = max(0, lengths.part - lengths.quiet - written)
    return try release(min(free, pending(held)), of: held)
  }

  /// Writes the first samples that are held back.
  private func release(_ count: Int64, of held: any HeldSamples) throws(AudioError) -> SinkStatus {
    guard count > 0 else { return .accepted }
    try tellWait()
    let start = Int(history) * lengths.channelCount
    let end = start + Int(count) * lengths.channelCount
    if try held.write(start..<end, to: sink) == .readerGone { return .readerGone }
    written += count
    history += count
    forget(held)
    return .accepted
  }

  private func remember<Sample: AudioSample>(_ samples: Span<Sample>, in held: any HeldSamples) {
    guard lengths.overlap > 0 else { return }
    let most = Int(lengths.overlap) * lengths.channelCount
    held.keep(samples.extracting(max(0, samples.count - most)..<samples.count))
    history = Int64(held.count / lengths.channelCount)
    forget(held)
  }

  /// Drops written samples beyond the overlap.
  private func forget(_ held: any HeldSamples) {
    let excess = max(0, history - lengths.overlap)
    held.consume(Int(excess) * lengths.channelCount)
    history -= excess
  }

  /// The middle of the quietest window among the samples that are held back; the last of equal ones.
  private func quietest(_ held: any HeldSamples) -> Int64 {
    let step = max(1, lengths.window / Int64(Self.stepsPerQuietLength))
    let window = Int(lengths.window / step)
    let start = history * Int64(lengths.channelCount)
    let energies = (0..<max(0, pending(held) / step)).map { index in
      let first = Int(start + index * step * Int64(lengths.channelCount))
      return held.energy(first..<first + Int(step) * lengths.channelCount)
    }
    var best = Double.infinity
    var place = pending(held)
    for first in 0..<max(0, energies.count - window + 1) {
      let energy = energies[first..<first + window].reduce(0, +)
      if energy <= best {
        best = energy
        place = Int64(first) * step + step * Int64(window) / 2
      }
    }
    return place
  }
}
