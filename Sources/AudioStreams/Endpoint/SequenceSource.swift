// SPDX-License-Identifier: Apache-2.0
/// Several sources one after the other: a play list, or the parts of one recording.
///
/// All sources are initialised at the start, so that a missing one is reported before anything is heard. If they
/// differ, the stream has the highest rate and the most channels among them, unless ``sampleRate`` and ``channelCount``
/// say otherwise; the others are converted. Neighbours of one format that meet directly are converted as one stream: a
/// recording that was cut into files comes out uncut.
///
/// Each source begins at the exact sum of the lengths before it, rounded up to a whole sample: the stream is never a
/// sample longer than the sum of the durations, for any number of sources.
public final class SequenceSource: AudioSource, ComposedSource {
  private let items: [any AudioSource]
  package var sources: [any AudioSource] { items }
  private let joint: SequenceJoint
  private let quality: ResamplerQuality
  private var formats: [StreamFormat] = []
  /// The loudspeakers of each source's channels; nil = the usual ones.
  private var layouts: [Metadata.ChannelLayout?] = []
  private var format: StreamFormat?
  private var current = 0
  /// Items whose `initialize` was called.
  private var opened: [Int] = []
  private var isCurrentStarted = false
  /// The stream in the session's sample type; made at the first `read`, which tells the type.
  private var stream: (any SequenceStream)?
  private var positions = SequencePositions(sampleRate: 1)

  /// The rate, in hertz, if sources differ; nil = their highest. May be changed until `initialize`.
  public var sampleRate: Int?
  /// The channel count if sources differ; nil = the largest. May be changed until `initialize`.
  public var channelCount: Int?
  /// Names of the sources. The stream then carries a mark at the beginning of each source, if the lengths before it are
  /// known beforehand: with the source's title, or this name if it has none. May be changed until `initialize`.
  public var labels: [String] = []
  /// The beginnings that are known before any source is read.
  private var expectedBeginnings: [Int64] = []
  /// The beginning in the stream of each source that has begun, in samples per channel. With a crossfade, that is the
  /// first audible sample of the source.
  public private(set) var beginnings: [Int64] = []

  /// - Parameters:
  ///   - items: at least one.
  ///   - joint: how two neighbours meet.
  ///   - quality: the quality of sample rate conversion.
  public init(
    _ items: [any AudioSource], joint: SequenceJoint = .direct, quality: ResamplerQuality = .high
  ) {
    self.items = items
    self.joint = joint
    self.quality = quality
  }

  /// - Throws: the error of a source; `invalidParameter` for a negative joint, and for a crossfade that is too long for
  ///   a source of known length.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var found: [Int: SourceDescription] = [:]
    func open(_ index: Int, _ proposal: StreamFormat?) throws(AudioError) {
      opened.append(index)
      found[index] = try items[index].initialize(proposing: proposal, wakeup: wakeup)
    }
    for index in items.indices where !items[index].takesProposedFormat {
      try open(index, proposal)
    }
    // Generators follow the other sources.
    let highest = sampleRate ?? found.values.map { $0.format.sampleRate }.max()
    var following = proposal
    if let highest { following = try StreamFormat(sampleRate: highest, channelCount: 1) }
    for index in items.indices where items[index].takesProposedFormat { try open(index, following) }
    let descriptions = items.indices.compactMap { found[$0] }
    formats = descriptions.map { $0.format }
    layouts = zip(items, formats).map { $0.channelLayout(in: $1) }
    let format = try commonFormat()
    self.format = format
    positions = SequencePositions(sampleRate: format.sampleRate)
    return SourceDescription(
      format: format, encoding: .widest(descriptions.map { $0.encoding }),
      samplesPerChannel: try length(of: descriptions, at: format.sampleRate),
      pace: descriptions.contains { $0.isLive } ? .arrival : .unpaced,
      precision: joint.mixes ? .double : nil,
      isRepeatable: descriptions.allSatisfy { $0.isRepeatable })
  }

  private func commonFormat() throws(AudioError) -> StreamFormat {
    if let first = formats.first, formats.allSatisfy({ $0 == first }) { return first }
    return try StreamFormat(
      sampleRate: sampleRate ?? formats.map { $0.sampleRate }.max() ?? 0,
      channelCount: channelCount ?? formats.map { $0.channelCount }.max() ?? 0)
  }

  /// The length of the stream in samples per channel; nil if the length of a source is not known.
  private func length(
    of descriptions: [SourceDescription], at rate: Int
  ) throws(AudioError) -> Int64? {
    let overlap = try joint.overlap(at: rate)
    let gap = try joint.gap(at: rate)
    var positions = SequencePositions(sampleRate: rate)
    var isKnown = true
    expectedBeginnings = []
    for (index, description) in descriptions.enumerated() {
      if isKnown { expectedBeginnings.append(positions.next) }
      guard let part = description.samplesPerChannel else {
        isKnown = false
        continue
      }
      let before = positions.next
      positions.add(part, at: description.format.sampleRate)
      let joints = (index > 0 ? 1 : 0) + (index + 1 < items.count ? 1 : 0)
      if positions.next - before < Int64(joints) * overlap { throw tooShort(index) }
      if index + 1 < items.count { positions.shift(by: gap - overlap) }
    }
    return isKnown ? positions.next : nil
  }

  /// The texts that all sources share, the origin of the first one, and marks by ``labels``.
  public func metadata() throws(AudioError) -> Metadata? {
    guard let format else { return nil }
    let parts = try items.map { (item) throws(AudioError) in try item.metadata() }
    let shared = Metadata.shared(by: parts, keepsTitles: !labels.isEmpty)
    var metadata = shared ?? Metadata()
    metadata.sampleRate = format.sampleRate
    if let first = parts.first.flatMap({ $0 }) {
      metadata.takeOrigin(
        of: first.converted(to: format.sampleRate).withoutPositions(because: "it is longer"))
    }
    guard !metadata.isEmpty || !labels.isEmpty || layout != nil else { return nil }
    metadata.channelCount = format.channelCount
    metadata.channelLayout = layout
    for (index, (label, position)) in zip(labels, expectedBeginnings).enumerated() {
      let title = parts[index]?.tags["TITLE"].first
      metadata.markers.append(
        .init(identifier: UInt32(clamping: index + 1), position: position, label: title ?? label))
    }
    if metadata.markers.count < labels.count {
      metadata.omissions.append(
        .init("marks", because: "the length of a source is unknown before it ends"))
    }
    return metadata
  }

  /// The loudspeakers of the stream's channels, if all sources agree; nil = the usual ones.
  private var layout: Metadata.ChannelLayout? {
    guard let first = layouts.first, layouts.allSatisfy({ $0 == first }),
      formats.allSatisfy({ $0.channelCount == format?.channelCount })
    else { return nil }
    return first
  }

  private func tooShort(_ index: Int) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "crossfade source", "\(index + 1)",
      because: "it is shorter than the crossfades with its neighbours",
      advice: "make the crossfade shorter")
  }

  public func start() throws(AudioError) {
    guard current < items.count else { return }
    try items[current].start()
    isCurrentStarted = true
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let format else { return .ended }
    if beginnings.isEmpty { beginnings = [0] }
    let stream: any SequenceStream
    if let made = self.stream {
      stream = made
    } else {
      let made = JoinedStream<Sample>(
        format, overlap: try joint.overlap(at: format.sampleRate), curve: joint.curve,
        hasSuccessor: items.count > 1)
      self.stream = made
      stream = made
    }
    while true {
      if stream.take(into: &output) { return .ready }
      guard current < items.count else { return .ended }
      // An item that needs no change is read without a copy.
      if !joint.mixes, !stream.isConverting, formats[current] == format {
        let before = output.count
        let status = try items[current].read(into: &output)
        positions.add(
          Int64((output.count - before) / format.channelCount), at: format.sampleRate)
        if status != .ended { return status }
        try advance(stream)
        continue
      }
      let (status, count) = try stream.fill(
        from: items[current], formats[current], layouts[current], quality: quality)
      positions.add(count, at: formats[current].sampleRate)
      if status == .pending { return .pending }
      if status == .ended { try advance(stream) }
    }
  }

  /// Goes on to the next item.
  private func advance(_ stream: any SequenceStream) throws(AudioError) {
    let index = current
    stop()
    current += 1
    let isLast = current == items.count
    let goesOn =
      !isLast && joint == .direct && stream.isConverting && formats[current] == formats[index]
    if !goesOn {
      guard try stream.endItem(at: positions.next, isLast: isLast) else { throw tooShort(index) }
    }
    if isLast { return }
    let rate = format?.sampleRate ?? 1
    let gap = try joint.gap(at: rate)
    if gap > 0 { stream.appendSilence(gap) }
    positions.shift(by: gap - (try joint.overlap(at: rate)))
    beginnings.append(positions.next)
    stream.begin(hasSuccessor: current + 1 < items.count, at: positions.next)
    try start()
  }

  public func stop() {
    if isCurrentStarted { items[current].stop() }
    isCurrentStarted = false
  }

  public func dispose() {
    stream = nil
    for index in opened { items[index].dispose() }
    opened = []
  }
}
