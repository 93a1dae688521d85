// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The metadata of an output's files.
struct CarriedMetadata: Sendable {
  private(set) var metadata: Metadata?
  /// The moment of the first sample, in nanoseconds since 1970, if the source states it, or it is now. Nil if unknown.
  let beginning: Int64?
  private let edits: MetadataRequest
  /// The origin that each file of a recording states. Nil if the files state none, or that of their source.
  private let origin: OriginNotes?
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - metadata: the metadata of the only source.
  ///   - plan: of the output.
  ///   - origin: of a recording that begins now. Nil if the files do not state it.
  ///   - beginning: the moment of the first sample, in nanoseconds since 1970. Nil if nothing states it.
  ///   - start: that moment, if files state it although the source may not.
  ///   - duration: of the sound, in seconds. Nil if it is unknown.
  ///   - control: ends the wait for another file's texts.
  init(
    _ metadata: Metadata?, _ plan: OutputPlan, _ origin: OriginNotes?,
    beganAt beginning: Int64?, startedAt start: Int64?, within duration: Double?,
    until control: SessionControl?
  ) throws(AudioError) {
    edits = plan.metadata
    self.origin = origin
    civilTime = plan.recording.civilTime
    var carried = metadata
    if plan.recording.trigger != nil, !plan.recording.limits.contains(.event) {
      carried = metadata?.withoutPositions(because: "the silence between sounds is left out")
    }
    if let origin {
      let now = RecordingClock.Moment.now.realTime
      var recorded = Self.recorded(at: now, origin, in: civilTime)
      recorded.channelLayout = metadata?.channelLayout
      recorded.channelCount = metadata?.channelCount
      carried = recorded
      self.beginning = now
    } else {
      self.beginning = beginning
      if let start, metadata?.statedTime(at: metadata?.sampleRate ?? 0) == nil {
        var dated = carried ?? Metadata()
        let rate = dated.sampleRate ?? 1_000_000_000
        let origin = Metadata(recordedAt: start, by: "rawaudio", in: civilTime)
        dated.sampleRate = rate
        dated.takeOrigin(of: origin.converted(to: rate))
        carried = dated
      }
    }
    self.metadata = try edits.applied(to: carried, within: duration, until: control)
  }

  private static func recorded(
    at time: Int64, _ origin: OriginNotes, in civilTime: CivilTime
  ) -> Metadata {
    var recorded = Metadata(recordedAt: time, by: "rawaudio", in: civilTime)
    origin.add(to: &recorded)
    return recorded
  }

  /// Names the channels, in stream order. More than two are those of loudspeakers only if their names end in them.
  ///
  /// - Parameter hasNames: whether the container has a place for names.
  mutating func describeChannels(_ names: [String], hasNames: Bool) {
    var described = metadata ?? Metadata()
    described.channelCount = names.count
    described.channelLayout =
      names.count > 2 && !ChannelNames.endInSpeakers(names) ? .speakers(0) : nil
    if hasNames { described.setTrackNames(names) }
    metadata = described
  }

  /// Returns the metadata of a file of one channel.
  ///
  /// - Parameters:
  ///   - channel: from 0.
  ///   - channelCount: of the stream.
  func ofChannel(_ channel: Int, of channelCount: Int) -> CarriedMetadata {
    var other = self
    other.metadata = metadata?.ofChannel(channel, of: channelCount)
    return other
  }

  /// Returns the metadata of a part.
  ///
  /// - Parameters:
  ///   - position: the start of the part in the stream, in samples per channel.
  ///   - length: the most of it, in samples per channel; nil = unknown.
  ///   - time: the time of its start, in nanoseconds since 1970. Nil if it follows from the position.
  ///   - format: the format of the stream.
  func ofPart(
    from position: Int64, within length: Int64?, at time: Int64?, in format: StreamFormat
  ) -> Metadata? {
    var part = metadata?.converted(to: format.sampleRate)
      .trimmed(from: position, length: length).withoutMeasurements
    if let origin, let beginning {
      let rate = Int128(format.sampleRate)
      let offset = Int64(clamping: Int128(position) * 1_000_000_000 / rate)
      let recorded = Self.recorded(at: time ?? beginning + offset, origin, in: civilTime)
      part?.takeOrigin(of: recorded.converted(to: format.sampleRate))
    }
    return part
  }
}
